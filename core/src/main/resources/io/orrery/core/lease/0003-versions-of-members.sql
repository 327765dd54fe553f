-- The version of the program of a member, empty for one from before, and by how many milliseconds
-- its clock was ahead of the database's when it told last that it lives.
alter table member add column version text not null default '';
alter table member add column ahead bigint;
