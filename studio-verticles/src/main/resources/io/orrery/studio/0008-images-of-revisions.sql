-- The image that a revision took from its build, for a rollback to it.
alter table service_revisions add column image text;
