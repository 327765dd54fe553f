-- The ports under which services are reached besides their hosts; each number once.
create table service_ports (
  port integer primary key,
  service text not null,
  stage text not null,
  target integer not null,
  hosts text not null
);
create index service_ports_by_service on service_ports (service, stage)
