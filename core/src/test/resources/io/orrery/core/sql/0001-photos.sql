create table photos (pixels blob not null);
