-- A member lives until `expires`, in milliseconds of the database's clock. Its row goes when
-- another member finds that it has not been heard of, and its id never comes again.
create table member (
  id text primary key,
  url text not null,
  host text not null,
  expires bigint not null
);

-- Whose lease it is, while that member has a row; no member's when `member` is empty.
create table lease (
  name text primary key,
  epoch bigint not null,
  member text not null
);
