alter table pets add column owner text;
insert into pets (name, age) values ('first', 1);
