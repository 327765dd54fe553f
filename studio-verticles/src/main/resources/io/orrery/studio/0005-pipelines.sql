-- Templates of tasks, pipelines, and the documents that each pipeline had.
create table templates (
  name text primary key,
  project text not null,
  owner text not null,
  -- 0 while only its owner and administrators see it
  released integer not null,
  document text not null,
  created_at bigint not null,
  changed_at bigint not null,
  revision bigint not null
);
create index templates_of_project on templates (project, name);

create table pipelines (
  name text primary key,
  project text not null,
  owner text not null,
  document text not null,
  created_at bigint not null,
  changed_at bigint not null,
  revision bigint not null
);
create index pipelines_of_project on pipelines (project, name);

create table pipeline_versions (
  pipeline text not null,
  version bigint not null,
  at bigint not null,
  author text not null,
  document text not null,
  primary key (pipeline, version)
);
