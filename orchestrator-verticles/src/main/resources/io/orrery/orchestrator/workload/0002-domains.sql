-- Hosts that several workloads share, and how their requests are divided.
create table workload_domains (
  host text primary key,
  revision bigint not null,
  content text not null
)
