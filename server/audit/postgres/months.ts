import { decodeTime } from 'ulid';
import { DAY_MS } from '../../../compiler/schema/audit/sums.ts';
import type { NewEntry } from '../records/store.ts';
import type { Connection } from './connection.ts';

/** The last instant of the year 9999; a later one is counted as this. */
const LAST_MS = 253_402_300_799_999;

/** An audit token, whose ULID has the time of its recall; the first digit of one is at most 7. */
const TOKEN = /^audi_([0-7][0-9A-HJKMNP-TV-Z]{25})_/;

/** A month in UTC as year × 100 + month, such as 202611. @param at milliseconds since 1970 */
function monthAt(at: number): number {
  const date = new Date(Math.min(Math.max(at, 0), LAST_MS));
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
}

/** The month that an audit token carries; null for other text. */
export function monthOfToken(token: string): number | null {
  const [, id] = TOKEN.exec(token) ?? [];
  return id === undefined ? null : monthAt(decodeTime(id));
}

/**
 * The month whose partition has an entry: that of its token, so that a closing is where its recall is, and (month,
 * token) is unique; for entries without a token, that of its time.
 */
export function monthOf({ audit_token, created_at }: Pick<NewEntry, 'audit_token' | 'created_at'>): number {
  return monthOfToken(audit_token) ?? monthAt(created_at);
}

/** Maximum distance of an entry's month from its time: a closing may come a day after its recall, by another clock. */
const SLACK_MS = 2 * DAY_MS;

/** First and last month of the entries of a time window, in milliseconds since 1970. */
export function monthsOf(since: number, until: number): [first: number, last: number] {
  return [monthAt(since - SLACK_MS), monthAt(until + SLACK_MS)];
}

/** The tables with a partition for each month. */
const TABLES = ['entries', 'intents'] as const;

/** The partition of a month, as the function below names it. */
export const partitionOf = (table: (typeof TABLES)[number], month: number): string =>
  `${table}_${Math.floor(month / 100)}_${String(month % 100).padStart(2, '0')}`;

/**
 * Adds the partitions of a month where they are missing. Its owner owns the tables, so that a server needs no right to
 * create any; who may not insert into them may not call it. A partition is made by itself and attached, since that
 * locks out neither readers nor writers; the triggers that guard single statements are not inherited, and it gets its
 * own.
 *
 * @param place the schema, as an identifier
 */
export const addMonthFunction = (place: string): string => `
CREATE FUNCTION audit_add_month(month integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = ${place}, pg_temp AS $audit$
DECLARE
  suffix CONSTANT text := '_' || month / 100 || '_' || lpad((month % 100)::text, 2, '0');
  parent text;
  part text;
BEGIN
  IF to_regclass('intents' || suffix) IS NOT NULL THEN RETURN; END IF;
  IF month IS NULL OR month NOT BETWEEN 197001 AND 999912 OR month % 100 NOT BETWEEN 1 AND 12 THEN
    RAISE EXCEPTION 'no such month' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NOT has_table_privilege(session_user, 'entries', 'INSERT') THEN
    RAISE EXCEPTION 'no right to insert' USING ERRCODE = 'insufficient_privilege';
  END IF;
  LOCK TABLE ONLY entries IN SHARE UPDATE EXCLUSIVE MODE;
  IF to_regclass('intents' || suffix) IS NOT NULL THEN RETURN; END IF;
  FOREACH parent IN ARRAY ARRAY['${TABLES.join("', '")}'] LOOP
    part := parent || suffix;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING CONSTRAINTS INCLUDING INDEXES)', part, parent);
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR TRUNCATE ON %I EXECUTE FUNCTION audit_refuse()', part || '_keep', part);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES IN (%s)', parent, part, month);
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', part, part || '_keep');
  END LOOP;
  EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER entries_checked', 'entries' || suffix);
END $audit$;
`;

/** Adds the partitions of months, which then take rows. */
async function addMonths(connection: Connection, months: Iterable<number>): Promise<void> {
  await connection.query('SELECT audit_add_month(month) FROM unnest($1::integer[]) month', [[...new Set(months)]]);
}

/** Adds the months of entries before they are inserted, each once. */
export interface KnownMonths {
  readonly ensure: (entries: readonly Pick<NewEntry, 'audit_token' | 'created_at'>[]) => Promise<void>;
  /** Retention may have dropped a month that was added. */
  readonly forget: () => void;
}

export function knownMonths(connection: Connection): KnownMonths {
  const known = new Set<number>();
  return {
    ensure: async (entries) => {
      const missing = new Set(entries.map(monthOf).filter((it) => !known.has(it)));
      if (missing.size === 0) return;
      await addMonths(connection, missing);
      for (const it of missing) known.add(it);
    },
    forget: () => {
      known.clear();
    },
  };
}
