-- The services that are deployed in production, as far as their domains and numbers are steered.
create table deployments (
  service text primary key,
  project text not null,
  owner text not null,
  host text,
  generation bigint not null,
  deployed_at bigint not null,
  rollout text not null,
  scaling text
);

-- Hosts that services share, with the rollout of each.
create table domains (
  host text primary key,
  project text not null,
  owner text not null,
  state text not null,
  revision bigint not null,
  changed_at bigint not null
);

-- Decisions about the number of replicas.
create table scalings (
  service text not null,
  number bigint not null,
  at bigint not null,
  replicas_before integer not null,
  replicas_after integer not null,
  reason text not null,
  primary key (service, number)
)
