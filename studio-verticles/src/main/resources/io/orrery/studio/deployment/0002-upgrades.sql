-- The last rollout by which a generation of a service took over from an earlier one.
create table upgrades (
  service text primary key,
  project text not null,
  generation bigint not null,
  before_want text not null,
  before_revision bigint not null,
  rollout text not null,
  is_open integer not null,
  revision bigint not null
)
