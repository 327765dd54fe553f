-- The generation that runs the image of a rollback, which restarts keep; null for none.
alter table service_stages add column image_kept bigint;
