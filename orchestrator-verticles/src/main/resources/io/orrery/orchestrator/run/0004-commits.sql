-- The commit of the code of a step that came from a Git repository.
alter table steps add column code_commit text;
