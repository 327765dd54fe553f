-- Services, the documents that each had, and where each is deployed.
create table services (
  name text primary key,
  project text not null,
  owner text not null,
  document text not null,
  created_at bigint not null,
  changed_at bigint not null,
  revision bigint not null,
  generation bigint not null
);
create index services_by_project on services (project, name);

create table service_revisions (
  service text not null,
  revision bigint not null,
  at bigint not null,
  author text not null,
  document text not null,
  primary key (service, revision)
);

create table service_stages (
  service text not null,
  stage text not null,
  generation bigint not null,
  revision bigint not null,
  replicas integer not null,
  deployed_at bigint not null,
  want text not null,
  primary key (service, stage)
)
