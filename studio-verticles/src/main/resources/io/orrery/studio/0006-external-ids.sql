-- The accounts of users whom an OpenID provider knows, by their ids there.
create table external_ids (
  issuer text not null,
  subject text not null,
  user_name text not null,
  primary key (issuer, subject)
);
create unique index external_ids_of_user on external_ids (user_name);
