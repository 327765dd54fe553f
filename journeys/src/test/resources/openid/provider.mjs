// An OpenID provider: node provider.mjs PORT REDIRECT LOGOUT SECRET-FILE. Users sign in by their name.
import { readFileSync } from "node:fs";
import { Provider } from "oidc-provider";

const [port, redirect, logout, secret] = process.argv.slice(2);
const groups = { ann: ["staff", "ml-admins"], bob: ["staff"] };
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "orrery",
      client_secret: readFileSync(secret, "utf8").trim(),
      redirect_uris: [redirect],
      post_logout_redirect_uris: [logout],
    },
  ],
  claims: { openid: ["sub"], profile: ["name", "preferred_username"], groups: ["groups"] },
  scopes: ["openid", "profile", "groups"],
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  findAccount: (context, id) => ({
    accountId: id,
    claims: () => ({ sub: "id-of-" + id, name: id, preferred_username: id, groups: groups[id] ?? [] }),
  }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));
