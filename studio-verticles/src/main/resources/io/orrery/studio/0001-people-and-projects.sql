-- Accounts, sessions, personal tokens, projects with their members, and the audit log.
create table access_revision (
  id integer primary key,
  revision bigint not null
);
insert into access_revision (id, revision) values (1, 1);

create table users (
  name text primary key,
  display_name text not null,
  mail text not null,
  role text not null,
  active integer not null,
  password text,
  created_at bigint not null,
  changed_at bigint not null,
  revision bigint not null
);

-- The codes of set-up links, by their SHA-256; without a user it is for the first administrator.
create table setup_codes (
  digest text primary key,
  user_name text,
  ends_at bigint not null
);

create table sessions (
  digest text primary key,
  user_name text not null,
  created_at bigint not null,
  ends_at bigint not null
);
create index sessions_by_user on sessions (user_name, created_at);
create index sessions_by_end on sessions (ends_at);

create table personal_tokens (
  digest text primary key,
  user_name text not null,
  name text not null,
  scope text not null,
  projects text,
  created_at bigint not null,
  ends_at bigint,
  unique (user_name, name)
);

create table projects (
  name text primary key,
  title text not null,
  settings text not null,
  quota text not null,
  owner text not null,
  created_at bigint not null,
  changed_at bigint not null,
  revision bigint not null
);
insert into projects (name, title, settings, quota, owner, created_at, changed_at, revision)
  values ('public', 'All users', '{}', '{}', '', 0, 0, 1);

create table project_members (
  project text not null,
  user_name text not null,
  role text not null,
  primary key (project, user_name)
);
create index members_by_user on project_members (user_name);

create table join_requests (
  project text not null,
  user_name text not null,
  message text not null,
  asked_at bigint not null,
  primary key (project, user_name)
);

create table audit (
  at bigint not null,
  id text not null,
  user_name text not null,
  address text not null,
  action text not null,
  kind text not null,
  name text not null,
  project text,
  result text not null,
  detail text not null,
  primary key (at, id)
);
create index audit_by_object on audit (kind, name, at);
create index audit_by_user on audit (user_name, at);
create index audit_by_project on audit (project, at)
