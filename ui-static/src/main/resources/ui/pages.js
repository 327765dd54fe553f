// The features that have pages, in the order in which the bar and the menus show them. What a page is, its folder says.
import "./overview/pages.js";
import "./experiments/pages.js";
import "./comparison/pages.js";
import "./pipelines/pages.js";
import "./editor/pages.js";
import "./notebooks/pages.js";
import "./files/pages.js";
import "./images/pages.js";
import "./models/pages.js";
import "./services/pages.js";
import "./routes/pages.js";
import "./log/pages.js";
import "./about/pages.js";
import "./documents/pages.js";
import "./people/pages.js";
import "./usage/pages.js";
import "./status/pages.js";
