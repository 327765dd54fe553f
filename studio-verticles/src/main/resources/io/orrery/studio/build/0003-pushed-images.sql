-- The images that builds have pushed, under each of their tags: those that later pushes have
-- replaced, and those of deleted builds too. A repository is named with its host.
create table pushed_images (
  repository text not null,
  digest text not null,
  tag text not null,
  project text not null,
  build text not null,
  pushed_at bigint not null,
  primary key (repository, digest, tag)
);
create index pushed_images_of_project on pushed_images (project)
