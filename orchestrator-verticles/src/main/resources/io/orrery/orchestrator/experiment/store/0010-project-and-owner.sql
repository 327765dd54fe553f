-- The project that an experiment belongs to, and the user who created it.
alter table experiments add column project text not null default 'public';
alter table experiments add column owner text not null default '';
create index experiments_by_project on experiments (project, created_at desc, id);
create index experiments_by_owner on experiments (owner, created_at desc, id)
