"""Members, the log of verdicts as chains, what is shared, what is opened, and who is there."""

from alembic import op

revision = "0001"
down_revision = None

_FIRST = "0" * 64  # stands for the link before the first row of a chain
_TABLES = (
    """
    CREATE TABLE termexplorer.member (
        login name PRIMARY KEY,
        person text NOT NULL UNIQUE CHECK (person <> ''),
        orcid text NOT NULL DEFAULT '',
        admitted_at timestamptz NOT NULL DEFAULT now()
    )""",
    """
    CREATE TABLE termexplorer.chain (
        device text NOT NULL,
        study text NOT NULL,
        login name NOT NULL,
        seq integer NOT NULL,
        link text NOT NULL,
        PRIMARY KEY (device, study)
    )""",
    """
    CREATE TABLE termexplorer.verdict (
        position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        device text NOT NULL CHECK (length(device) = 32),
        study text NOT NULL,
        seq integer NOT NULL,
        login name NOT NULL,
        judge text NOT NULL,
        orcid text NOT NULL,
        identity text NOT NULL CHECK (length(identity) = 64),
        undoes text NOT NULL,
        content text NOT NULL CHECK (length(content) < 1000000),
        row_hash text NOT NULL CHECK (length(row_hash) = 64),
        before text NOT NULL,
        link text NOT NULL,
        server_time timestamptz NOT NULL,
        UNIQUE (device, study, seq)
    )""",
    """
    CREATE TABLE termexplorer.pack (
        study text NOT NULL,
        annotator text NOT NULL,
        title text NOT NULL,
        content bytea NOT NULL,
        turns integer NOT NULL,
        login name NOT NULL DEFAULT session_user,
        shared_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (study, annotator)
    )""",
    """
    CREATE TABLE termexplorer.suggestion_list (
        key text PRIMARY KEY CHECK (length(key) = 64),
        title text NOT NULL,
        release_hash text NOT NULL,
        release_file text NOT NULL,
        content bytea NOT NULL,
        login name NOT NULL DEFAULT session_user,
        shared_at timestamptz NOT NULL DEFAULT now()
    )""",
    """
    CREATE TABLE termexplorer.opening (
        study text PRIMARY KEY,
        login name NOT NULL DEFAULT session_user,
        opened_at timestamptz NOT NULL DEFAULT now()
    )""",
    """
    CREATE TABLE termexplorer.presence (
        login name PRIMARY KEY DEFAULT session_user,
        seen_at timestamptz NOT NULL DEFAULT now(),
        works_on text NOT NULL CHECK (length(works_on) < 1000),
        unsent integer NOT NULL
    )""",
)
_ROLES = """
DO $$
BEGIN
    CREATE ROLE {role} NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$"""
_DEFINER = "LANGUAGE {language} SECURITY DEFINER SET search_path = pg_catalog, pg_temp"
_STABLE = f"STABLE {_DEFINER.format(language='sql')}"
# `session_user` is who logged in; no SET ROLE changes it
_FUNCTIONS = (
    f"""
    CREATE FUNCTION termexplorer.is_author() RETURNS boolean {_STABLE}
    AS $$ SELECT pg_has_role(session_user, 'termexplorer_author', 'member') $$""",
    f"""
    CREATE FUNCTION termexplorer.own_name() RETURNS text {_STABLE}
    AS $$ SELECT person FROM termexplorer.member WHERE login = session_user $$""",
    f"""
    CREATE FUNCTION termexplorer.is_open(asked text) RETURNS boolean {_STABLE}
    AS $$ SELECT EXISTS (SELECT 1 FROM termexplorer.opening WHERE study = asked) $$""",
    f"""
    CREATE FUNCTION termexplorer.is_seated(asked text) RETURNS boolean {_STABLE}
    AS $$ SELECT EXISTS (
        SELECT 1 FROM termexplorer.pack
        WHERE study = asked AND annotator = termexplorer.own_name()
    ) $$""",
    f"""
    CREATE FUNCTION termexplorer.chain_verdict() RETURNS trigger
    {_DEFINER.format(language="plpgsql")} AS $$
    DECLARE
        head termexplorer.chain;
        stored termexplorer.verdict;
    BEGIN
        INSERT INTO termexplorer.chain (device, study, login, seq, link)
        VALUES (NEW.device, NEW.study, session_user, 0, '{_FIRST}') ON CONFLICT DO NOTHING;
        SELECT * INTO head FROM termexplorer.chain
        WHERE device = NEW.device AND study = NEW.study FOR UPDATE;
        IF head.login <> session_user THEN
            RAISE EXCEPTION 'the chain is of another member' USING ERRCODE = 'TX001';
        END IF;
        IF NEW.seq <= head.seq THEN
            SELECT * INTO stored FROM termexplorer.verdict
            WHERE device = NEW.device AND study = NEW.study AND seq = NEW.seq;
            IF stored.row_hash = NEW.row_hash AND stored.before = NEW.before THEN
                RETURN NULL;  -- it came before
            END IF;
            RAISE EXCEPTION 'the chain goes on otherwise' USING ERRCODE = 'TX001';
        END IF;
        IF NEW.seq <> head.seq + 1 OR NEW.before <> head.link THEN
            RAISE EXCEPTION 'rows are missing before' USING ERRCODE = 'TX002';
        END IF;
        NEW.login := session_user;
        NEW.server_time := clock_timestamp();
        NEW.link := encode(sha256(convert_to(NEW.before || NEW.row_hash, 'UTF8')), 'hex');
        UPDATE termexplorer.chain SET seq = NEW.seq, link = NEW.link
        WHERE device = NEW.device AND study = NEW.study;
        RETURN NEW;
    END $$""",
    f"""
    CREATE FUNCTION termexplorer.refuse_change() RETURNS trigger
    {_DEFINER.format(language="plpgsql")} AS $$
    BEGIN
        RAISE EXCEPTION 'the log of verdicts is only ever added to';
    END $$""",
    f"""
    CREATE FUNCTION termexplorer.tell_change() RETURNS trigger
    {_DEFINER.format(language="plpgsql")} AS $$
    BEGIN
        PERFORM pg_notify('termexplorer', '');
        RETURN NULL;
    END $$""",
)
_TRIGGERS = (
    """
    CREATE TRIGGER chain_verdict BEFORE INSERT ON termexplorer.verdict
    FOR EACH ROW EXECUTE FUNCTION termexplorer.chain_verdict()""",
    """
    CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON termexplorer.verdict
    FOR EACH STATEMENT EXECUTE FUNCTION termexplorer.refuse_change()""",
    *(
        f"""
        CREATE TRIGGER tell_change AFTER INSERT ON termexplorer.{table}
        FOR EACH STATEMENT EXECUTE FUNCTION termexplorer.tell_change()"""
        for table in ("verdict", "pack", "suggestion_list", "opening")
    ),
)
_READS = "USING (login = session_user OR termexplorer.is_author() OR termexplorer.is_open(study))"
_MAY_ADD = """
    WITH CHECK (login = session_user AND (termexplorer.is_author() OR (
        judge = termexplorer.own_name() AND (study = '' OR termexplorer.is_seated(study))
    )))"""
_AUTHOR_ADDS = "WITH CHECK (termexplorer.is_author())"
_OWN_PACK = """
    USING (annotator = termexplorer.own_name() OR termexplorer.is_author()
    OR termexplorer.is_open(study))"""
_TABLE_NAMES = (
    "member", "chain", "verdict", "pack", "suggestion_list", "opening", "presence",
)  # fmt: skip
_POLICIES = (
    "CREATE POLICY reads ON termexplorer.member FOR SELECT USING (true)",
    f"CREATE POLICY reads ON termexplorer.chain FOR SELECT {_READS}",
    f"CREATE POLICY reads ON termexplorer.verdict FOR SELECT {_READS}",
    f"CREATE POLICY adds ON termexplorer.verdict FOR INSERT {_MAY_ADD}",
    f"CREATE POLICY reads ON termexplorer.pack FOR SELECT {_OWN_PACK}",
    f"CREATE POLICY adds ON termexplorer.pack FOR INSERT {_AUTHOR_ADDS}",
    "CREATE POLICY reads ON termexplorer.suggestion_list FOR SELECT USING (true)",
    f"CREATE POLICY adds ON termexplorer.suggestion_list FOR INSERT {_AUTHOR_ADDS}",
    "CREATE POLICY reads ON termexplorer.opening FOR SELECT USING (true)",
    f"CREATE POLICY adds ON termexplorer.opening FOR INSERT {_AUTHOR_ADDS}",
    "CREATE POLICY reads ON termexplorer.presence FOR SELECT USING (true)",
    "CREATE POLICY adds ON termexplorer.presence FOR INSERT WITH CHECK (login = session_user)",
    "CREATE POLICY changes ON termexplorer.presence FOR UPDATE "
    "USING (login = session_user) WITH CHECK (login = session_user)",
)
# of each table the columns that a client writes; the server writes the others
_GRANTS = (
    "GRANT USAGE ON SCHEMA termexplorer TO termexplorer_reader",
    "GRANT SELECT ON ALL TABLES IN SCHEMA termexplorer TO termexplorer_reader",
    "GRANT INSERT (device, study, seq, judge, orcid, identity, undoes, content, row_hash, before) "
    "ON termexplorer.verdict TO termexplorer_curator",
    "GRANT INSERT (works_on, unsent), UPDATE (seen_at, works_on, unsent) "
    "ON termexplorer.presence TO termexplorer_reader",
    "GRANT INSERT (study, annotator, title, content, turns) "
    "ON termexplorer.pack TO termexplorer_author",
    "GRANT INSERT (key, title, release_hash, release_file, content) "
    "ON termexplorer.suggestion_list TO termexplorer_author",
    "GRANT INSERT (study) ON termexplorer.opening TO termexplorer_author",
    "GRANT termexplorer_reader TO termexplorer_curator",
    "GRANT termexplorer_curator TO termexplorer_author",
)


def upgrade() -> None:
    """Make everything; the roles are the whole server's and may be there."""
    roles = ("reader", "curator", "author")
    op.execute("REVOKE ALL ON SCHEMA termexplorer FROM PUBLIC")
    for statement in (
        *(_ROLES.format(role=f"termexplorer_{role}") for role in roles),
        *_TABLES,
        *_FUNCTIONS,
        *_TRIGGERS,
        *_GRANTS,
    ):
        op.execute(statement)
    for table in _TABLE_NAMES:
        op.execute(f"ALTER TABLE termexplorer.{table} ENABLE ROW LEVEL SECURITY")
    for policy in _POLICIES:
        op.execute(policy)
