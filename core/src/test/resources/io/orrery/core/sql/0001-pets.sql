-- The first table; a comment with a ; in it.
create table pets (name text primary key, age integer not null);
create index pets_by_age on pets (age);
