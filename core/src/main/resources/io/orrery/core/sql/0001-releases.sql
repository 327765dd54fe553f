-- The newest release of the product that has opened the database: one row.
create table store_release (
  id integer primary key,
  number integer not null,
  name text not null
);
