import GRDB

extension DatabaseMigrator {
  /// The schema's history. A released step is never changed; a new schema is a new step.
  static var assets: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(
        sql: """
          CREATE TABLE asset (
            id TEXT NOT NULL UNIQUE CHECK (length(id) = 32),         -- hexadecimal, as all bytes here
            camera TEXT NOT NULL,
            mediaType TEXT NOT NULL,
            path TEXT NOT NULL UNIQUE,                               -- below the library's folder
            byteCount INTEGER NOT NULL CHECK (byteCount >= 0),
            sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            createdAt INTEGER NOT NULL,                              -- wall clock, nanoseconds since 1970
            requestID TEXT,
            duration INTEGER,                                        -- nanoseconds
            frameCount INTEGER,
            isMissing INTEGER NOT NULL DEFAULT 0
          ) STRICT;
          CREATE INDEX assetByTime ON asset (createdAt);
          CREATE INDEX assetByCameraAndTime ON asset (camera, createdAt);
          """
      )
    }
    migrator.registerMigration("2") { database in
      try database.execute(
        sql: """
          ALTER TABLE asset ADD COLUMN isRecovered INTEGER NOT NULL DEFAULT 0;
          CREATE INDEX assetByRequest ON asset (requestID);
          -- Movies in the making; a row that is found at the opening is of one that was cut off.
          CREATE TABLE movieDraft (
            id TEXT NOT NULL UNIQUE CHECK (length(id) = 32),
            camera TEXT NOT NULL,
            mediaType TEXT NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            createdAt INTEGER NOT NULL,
            requestID TEXT
          ) STRICT;
          """
      )
    }
    migrator.registerMigration("3") { database in
      try database.execute(
        sql: """
          ALTER TABLE asset ADD COLUMN isProtected INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE asset ADD COLUMN isChanged INTEGER NOT NULL DEFAULT 0;
          -- The file's time of change when isChanged was found out, nanoseconds since 1970.
          ALTER TABLE asset ADD COLUMN modifiedAt INTEGER;
          -- Set while the file is deleted; the next opening finishes what was cut off.
          ALTER TABLE asset ADD COLUMN isBeingDeleted INTEGER NOT NULL DEFAULT 0;
          CREATE INDEX assetByKindAndTime ON asset (substr(mediaType, 1, 5), createdAt);
          CREATE INDEX protectedAssetByTime ON asset (createdAt) WHERE isProtected;
          CREATE INDEX deletionToFinish ON asset (id) WHERE isBeingDeleted;
          """
      )
    }
    migrator.registerMigration("4") { database in
      try database.execute(
        sql: """
          -- The end of the recording was reported, although its movie could not be listed.
          ALTER TABLE movieDraft ADD COLUMN hasEnded INTEGER NOT NULL DEFAULT 0;
          """
      )
    }
    migrator.registerMigration("5") { database in
      try database.execute(
        sql: """
          -- The layout of a file without a format of its own.
          ALTER TABLE asset ADD COLUMN pixelFormat TEXT;
          ALTER TABLE asset ADD COLUMN bytesPerLine INTEGER;
          ALTER TABLE asset ADD COLUMN colorRange TEXT;
          ALTER TABLE asset ADD COLUMN colorMatrix TEXT;
          """
      )
    }
    migrator.registerMigration("6") { database in
      try database.execute(
        sql: """
          -- What the file shows of a photo, if not the picture itself: depth or matte.
          ALTER TABLE asset ADD COLUMN part TEXT;
          ALTER TABLE asset ADD COLUMN replaces TEXT;              -- the id of a proxy
          ALTER TABLE asset ADD COLUMN deferral TEXT;              -- of a proxy
          CREATE INDEX assetByProxy ON asset (replaces) WHERE replaces IS NOT NULL;
          CREATE INDEX proxyByDeferral ON asset (deferral, createdAt) WHERE deferral IS NOT NULL;
          -- Photos whose files are still to be made, or of which nobody was told yet.
          CREATE TABLE deferredPhoto (
            id TEXT NOT NULL UNIQUE CHECK (length(id) = 32),       -- of the proxy
            byteCount INTEGER NOT NULL CHECK (byteCount >= 0),     -- of what is kept for it
            sha256 TEXT,                                           -- of the same; not known of a restored row
            attempts INTEGER NOT NULL DEFAULT 0,
            event BLOB                                             -- what is to be told
          ) STRICT;
          """
      )
    }
    migrator.registerMigration("7") { database in
      try database.execute(
        sql: """
          -- What the assets of each camera take together.
          CREATE TABLE usage (
            camera TEXT NOT NULL UNIQUE,
            count INTEGER NOT NULL,
            byteCount INTEGER NOT NULL
          ) STRICT;
          INSERT INTO usage SELECT camera, count(*), sum(byteCount) FROM asset GROUP BY camera;
          CREATE TRIGGER assetAdded AFTER INSERT ON asset BEGIN
            INSERT INTO usage VALUES (NEW.camera, 1, NEW.byteCount)
              ON CONFLICT (camera) DO UPDATE
              SET count = count + 1, byteCount = byteCount + NEW.byteCount;
          END;
          CREATE TRIGGER assetRemoved AFTER DELETE ON asset BEGIN
            UPDATE usage SET count = count - 1, byteCount = byteCount - OLD.byteCount
              WHERE camera = OLD.camera;
            DELETE FROM usage WHERE camera = OLD.camera AND count = 0;
          END;
          -- The oldest that a quota may remove.
          CREATE INDEX removableAssetByTime ON asset (createdAt) WHERE NOT isProtected;
          CREATE INDEX removableAssetByCameraAndTime ON asset (camera, createdAt) WHERE NOT isProtected;
          """
      )
    }
    migrator.registerMigration("8") { database in
      try database.execute(
        sql: """
          ALTER TABLE asset ADD COLUMN name TEXT NOT NULL DEFAULT '';
          -- A list in JSON.
          ALTER TABLE asset ADD COLUMN tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags));
          ALTER TABLE movieDraft ADD COLUMN name TEXT NOT NULL DEFAULT '';
          ALTER TABLE movieDraft ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
          -- A missing file that is found under another path.
          CREATE INDEX missingAssetByDigest ON asset (sha256) WHERE isMissing;
          CREATE INDEX assetByName ON asset (name, createdAt) WHERE name <> '';
          -- A row for each tag of each asset, with what lists choose assets by.
          CREATE TABLE assetTag (
            tag TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            id TEXT NOT NULL,                                      -- of the asset
            camera TEXT NOT NULL,
            kind TEXT NOT NULL,                                    -- image or video
            PRIMARY KEY (tag, createdAt, id)
          ) STRICT, WITHOUT ROWID;
          CREATE TRIGGER taggedAssetAdded AFTER INSERT ON asset WHEN NEW.tags <> '[]' BEGIN
            INSERT INTO assetTag
              SELECT DISTINCT value, NEW.createdAt, NEW.id, NEW.camera, substr(NEW.mediaType, 1, 5)
              FROM json_each(NEW.tags);
          END;
          CREATE TRIGGER taggedAssetRemoved AFTER DELETE ON asset WHEN OLD.tags <> '[]' BEGIN
            DELETE FROM assetTag WHERE createdAt = OLD.createdAt AND id = OLD.id
              AND tag IN (SELECT value FROM json_each(OLD.tags));
          END;
          CREATE TRIGGER assetTagged AFTER UPDATE OF tags ON asset BEGIN
            DELETE FROM assetTag WHERE createdAt = OLD.createdAt AND id = OLD.id
              AND tag IN (SELECT value FROM json_each(OLD.tags));
            INSERT INTO assetTag
              SELECT DISTINCT value, NEW.createdAt, NEW.id, NEW.camera, substr(NEW.mediaType, 1, 5)
              FROM json_each(NEW.tags);
          END;
          """
      )
    }
    return migrator
  }
}
