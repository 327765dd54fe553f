-- The layers of the route table that the servers own, each replaced whole.
create table route_layers (
  layer text primary key,
  revision bigint not null,
  document text not null
);
insert into route_layers (layer, revision, document) values ('studio', 0, '{"services": []}');
