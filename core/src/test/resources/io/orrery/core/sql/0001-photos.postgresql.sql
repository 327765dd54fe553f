create table photos (pixels bytea not null);
