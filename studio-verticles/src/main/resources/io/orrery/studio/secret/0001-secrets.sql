-- The secrets of projects, sealed with a key that is not in the database.
create table project_secrets (
  project text not null,
  name text not null,
  sealed text not null,
  changed_by text not null,
  changed_at bigint not null,
  primary key (project, name)
)
