--
-- PostgreSQL database dump
--

\restrict XmteH8ZTsahF1J9JmvibkmoCq6dZhguCAJaRzE52I2fkorlfbF2M7u460aQ7bcf

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: mark_write(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mark_write() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin insert into write_marks (account_id, method, count) values (new.account_id, new.method, 1)
  on conflict (account_id, method) do update set count = write_marks.count + 1; return null; end $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: account_api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account_api_keys (
    id text NOT NULL,
    account_id text NOT NULL,
    key_index text NOT NULL,
    key_sealed text NOT NULL,
    seen_at bigint NOT NULL
);


--
-- Name: account_details; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account_details (
    account_id text NOT NULL,
    contact_name text,
    email text,
    email_key text,
    language text,
    organisation_id text,
    organisation_name text,
    notes text,
    tags text,
    zone text,
    phone text
);


--
-- Name: account_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account_events (
    account_id text NOT NULL,
    "position" bigint NOT NULL,
    at bigint NOT NULL,
    kind text NOT NULL,
    actor text NOT NULL,
    detail text NOT NULL,
    seq bigint,
    from_stage text,
    to_stage text
);


--
-- Name: account_groups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account_groups (
    name text NOT NULL,
    query text NOT NULL,
    saved_at bigint NOT NULL,
    saved_by text NOT NULL
);


--
-- Name: accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.accounts (
    id text NOT NULL,
    name text NOT NULL,
    product text NOT NULL,
    origin text NOT NULL,
    created_at bigint NOT NULL,
    stage text NOT NULL,
    stage_since bigint NOT NULL,
    last_call_at bigint,
    account_key_index text NOT NULL,
    account_key_sealed text NOT NULL,
    api_key_index text,
    api_key_sealed text,
    grant_id text,
    organisation_id text,
    organisation_name text,
    lost_reason text,
    application_id text DEFAULT 'default'::text NOT NULL,
    notices bigint
);


--
-- Name: audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit (
    seq bigint NOT NULL,
    at bigint NOT NULL,
    who text NOT NULL,
    action text NOT NULL,
    account_ids text NOT NULL,
    detail text NOT NULL
);


--
-- Name: awaiting_consents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.awaiting_consents (
    account_id text NOT NULL,
    grant_id text NOT NULL,
    findings text NOT NULL,
    since bigint NOT NULL
);


--
-- Name: call_hours; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.call_hours (
    hour bigint NOT NULL,
    account_id text NOT NULL,
    source text NOT NULL,
    calls bigint NOT NULL,
    errors bigint NOT NULL
);


--
-- Name: call_journal; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.call_journal (
    id text NOT NULL,
    holder text NOT NULL,
    at bigint NOT NULL,
    counted bigint NOT NULL,
    content text NOT NULL
);


--
-- Name: call_packs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.call_packs (
    account_id text NOT NULL,
    begun_at bigint NOT NULL,
    last_at bigint NOT NULL,
    calls bigint NOT NULL,
    content text NOT NULL
);


--
-- Name: campaign_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.campaign_runs (
    account_id text NOT NULL,
    cause text NOT NULL,
    began_at bigint NOT NULL,
    reminders bigint NOT NULL,
    state text NOT NULL,
    next_at bigint,
    stop_reason text,
    stopped_at bigint
);


--
-- Name: consent_attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.consent_attempts (
    id text NOT NULL,
    invitation_id text NOT NULL,
    account_id text NOT NULL,
    state_index text NOT NULL,
    browser_index text NOT NULL,
    verifier_sealed text,
    started_at bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: consent_choices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.consent_choices (
    id text NOT NULL,
    invitation_id text NOT NULL,
    account_id text NOT NULL,
    grant_id text NOT NULL,
    key_index text NOT NULL,
    browser_index text NOT NULL,
    organisations text NOT NULL,
    companions text NOT NULL,
    started_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    taken_at bigint
);


--
-- Name: console_results; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.console_results (
    id text NOT NULL,
    token_id text NOT NULL,
    kept_at bigint NOT NULL,
    content_sealed text NOT NULL
);


--
-- Name: console_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.console_sessions (
    session_index text NOT NULL,
    token_id text NOT NULL,
    csrf text NOT NULL,
    created_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    ends_at bigint
);


--
-- Name: console_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.console_tokens (
    id text NOT NULL,
    name text NOT NULL,
    scope text NOT NULL,
    token_index text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint,
    revoked_at bigint,
    expires_at bigint,
    subject text
);


--
-- Name: counters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.counters (
    name text NOT NULL,
    value bigint NOT NULL
);


--
-- Name: crosswalk; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.crosswalk (
    account_id text NOT NULL,
    kind text NOT NULL,
    number bigint NOT NULL,
    uuid text NOT NULL,
    origin text NOT NULL
);


--
-- Name: crosswalk_kinds; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.crosswalk_kinds (
    account_id text NOT NULL,
    kind text NOT NULL,
    complete bigint NOT NULL,
    allotted_to bigint NOT NULL
);


--
-- Name: crosswalk_unlearned; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.crosswalk_unlearned (
    account_id text NOT NULL,
    kind text NOT NULL,
    uuid text NOT NULL,
    first_seen bigint NOT NULL
);


--
-- Name: deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.deliveries (
    id text NOT NULL,
    type text NOT NULL,
    account_id text NOT NULL,
    payload text NOT NULL,
    created_at bigint NOT NULL,
    attempts bigint NOT NULL,
    state text NOT NULL,
    next_at bigint NOT NULL,
    note text NOT NULL
);


--
-- Name: delivery_attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.delivery_attempts (
    delivery_id text NOT NULL,
    "position" bigint NOT NULL,
    at bigint NOT NULL,
    outcome text NOT NULL,
    note text NOT NULL
);


--
-- Name: deployment; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.deployment (
    name text NOT NULL,
    id text NOT NULL,
    epoch bigint NOT NULL,
    place text,
    marked_at bigint,
    doubt text,
    doubted_at bigint,
    seen_epoch bigint,
    acknowledged_at bigint
);


--
-- Name: deployment_instances; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.deployment_instances (
    id text NOT NULL,
    at bigint NOT NULL,
    place text
);


--
-- Name: forecasts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.forecasts (
    account_id text NOT NULL,
    at bigint NOT NULL,
    content text NOT NULL
);


--
-- Name: grant_spares; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.grant_spares (
    id text NOT NULL,
    grant_id text NOT NULL,
    parent_index text NOT NULL,
    access_token text NOT NULL,
    access_expires_at bigint NOT NULL,
    refresh_token text NOT NULL,
    arrived_at bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: grants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.grants (
    id text NOT NULL,
    user_id text NOT NULL,
    user_name text,
    user_email text,
    scope text NOT NULL,
    created_at bigint NOT NULL,
    renewed_at bigint NOT NULL,
    state text NOT NULL,
    generation bigint NOT NULL,
    access_token text,
    access_expires_at bigint,
    refresh_token text,
    since bigint,
    presentations bigint NOT NULL,
    next_at bigint,
    lost_reason text,
    lost_at bigint,
    fence bigint NOT NULL,
    lease_holder text,
    lease_until bigint,
    predecessor_token text,
    predecessor_since bigint,
    predecessor_presentations bigint,
    confirm_at bigint,
    withheld_fence bigint,
    application_id text DEFAULT 'default'::text NOT NULL
);


--
-- Name: invitations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.invitations (
    id text NOT NULL,
    account_id text NOT NULL,
    link_index text NOT NULL,
    state text NOT NULL,
    state_since bigint NOT NULL,
    issued_at bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.jobs (
    name text NOT NULL,
    holder text,
    fence bigint NOT NULL,
    lease_until bigint NOT NULL,
    due_at bigint NOT NULL
);


--
-- Name: outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.outbox (
    id text NOT NULL,
    account_id text NOT NULL,
    invitation_id text NOT NULL,
    kind text NOT NULL,
    to_address text NOT NULL,
    to_key text NOT NULL,
    message_id text NOT NULL,
    reminder bigint,
    link_sealed text,
    state text NOT NULL,
    queued_at bigint NOT NULL,
    next_at bigint NOT NULL,
    attempts bigint NOT NULL,
    claimed_at bigint,
    lease_until bigint,
    settled_at bigint,
    reason text
);


--
-- Name: outbox_sending; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.outbox_sending (
    name text NOT NULL,
    errors bigint NOT NULL,
    paused_until bigint
);


--
-- Name: parity_acceptances; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.parity_acceptances (
    account_id text NOT NULL,
    difference text NOT NULL,
    signature text NOT NULL,
    name text NOT NULL,
    reason text NOT NULL,
    at bigint NOT NULL
);


--
-- Name: parity_latest; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.parity_latest (
    id text NOT NULL,
    account_id text NOT NULL,
    at bigint NOT NULL,
    summary text NOT NULL,
    trend text NOT NULL,
    examples_sealed text,
    examples_until bigint
);


--
-- Name: parity_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.parity_runs (
    account_id text NOT NULL,
    at bigint NOT NULL,
    content text NOT NULL
);


--
-- Name: rehearsals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rehearsals (
    account_id text NOT NULL,
    begun_at bigint NOT NULL,
    who text NOT NULL,
    outcome text NOT NULL,
    words text NOT NULL,
    done bigint NOT NULL,
    total bigint NOT NULL,
    told_at bigint NOT NULL,
    report text,
    report_at bigint
);


--
-- Name: replica_pieces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.replica_pieces (
    id text NOT NULL,
    replica_id text NOT NULL,
    place bigint NOT NULL,
    records_sealed text NOT NULL
);


--
-- Name: replicas; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.replicas (
    id text NOT NULL,
    account_id text NOT NULL,
    version bigint NOT NULL,
    head_sealed text NOT NULL,
    bytes bigint NOT NULL,
    used_at bigint NOT NULL
);


--
-- Name: route_canaries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.route_canaries (
    account_id text NOT NULL,
    methods text NOT NULL,
    route text NOT NULL,
    before text NOT NULL,
    calls_before bigint NOT NULL,
    failed_before bigint NOT NULL,
    begun_at bigint NOT NULL,
    until bigint NOT NULL,
    calls bigint NOT NULL,
    failed bigint NOT NULL,
    lost bigint NOT NULL,
    outcome text,
    reason text
);


--
-- Name: route_overrides; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.route_overrides (
    method text NOT NULL,
    account_id text NOT NULL,
    route text NOT NULL,
    at bigint NOT NULL,
    actor text NOT NULL
);


--
-- Name: sample_accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sample_accounts (
    account_id text NOT NULL,
    off bigint NOT NULL,
    forgotten_at bigint,
    record_since bigint,
    record_until bigint
);


--
-- Name: samples; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.samples (
    id text NOT NULL,
    account_id text NOT NULL,
    purpose text NOT NULL,
    method text NOT NULL,
    content_sealed text NOT NULL,
    bytes bigint NOT NULL,
    at bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: schema_version; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_version (
    version bigint NOT NULL,
    applied_at bigint NOT NULL,
    oldest bigint
);


--
-- Name: settings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.settings (
    name text NOT NULL,
    value text NOT NULL
);


--
-- Name: snapshot; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.snapshot (
    id text NOT NULL,
    account_id text NOT NULL,
    kind text NOT NULL,
    fields_sealed text NOT NULL,
    read_at bigint NOT NULL
);


--
-- Name: stage_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.stage_days (
    day bigint NOT NULL,
    legacy bigint NOT NULL,
    consented bigint NOT NULL,
    migrated bigint NOT NULL,
    lost bigint NOT NULL,
    closed bigint NOT NULL,
    "awaiting-operator" bigint
);


--
-- Name: status_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.status_links (
    message_id text NOT NULL,
    account_id text NOT NULL,
    link_index text NOT NULL,
    issued_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    withdrawn_at bigint
);


--
-- Name: suppressions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.suppressions (
    address text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    at bigint NOT NULL
);


--
-- Name: text_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.text_changes (
    seq bigint NOT NULL,
    language text NOT NULL,
    path text NOT NULL,
    text text,
    at bigint NOT NULL,
    who text NOT NULL
);


--
-- Name: token_revocations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.token_revocations (
    grant_id text NOT NULL,
    account_id text NOT NULL,
    since bigint NOT NULL,
    attempts bigint NOT NULL,
    next_at bigint NOT NULL
);


--
-- Name: usage_accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.usage_accounts (
    account_id text NOT NULL,
    off bigint NOT NULL,
    forgotten_at bigint,
    version bigint NOT NULL,
    judged_version bigint,
    judged_at bigint,
    judged_by text,
    readiness text,
    verdict text
);


--
-- Name: usage_programs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.usage_programs (
    account_id text NOT NULL,
    program text NOT NULL,
    name text NOT NULL,
    at bigint NOT NULL,
    actor text NOT NULL
);


--
-- Name: used_names; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.used_names (
    account_id text NOT NULL,
    week bigint NOT NULL,
    content text NOT NULL
);


--
-- Name: watches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.watches (
    account_id text NOT NULL,
    moved_at bigint NOT NULL,
    until bigint NOT NULL,
    before text NOT NULL,
    calls_before bigint NOT NULL,
    errors_before bigint NOT NULL,
    findings text NOT NULL,
    flagged_at bigint,
    dismissed text
);


--
-- Name: wave_accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wave_accounts (
    account_id text NOT NULL,
    wave text NOT NULL,
    invited_at bigint
);


--
-- Name: waves; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.waves (
    name text NOT NULL,
    "position" bigint NOT NULL,
    query text NOT NULL,
    most bigint,
    start text,
    hold_hours bigint NOT NULL,
    most_errors bigint NOT NULL,
    most_troubled bigint NOT NULL,
    state text NOT NULL,
    since bigint NOT NULL,
    reason text NOT NULL
);


--
-- Name: write_marks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.write_marks (
    account_id text NOT NULL,
    method text NOT NULL,
    count bigint NOT NULL
);


--
-- Name: write_owners; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.write_owners (
    id text NOT NULL,
    beats bigint NOT NULL
);


--
-- Name: writes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.writes (
    id text NOT NULL,
    account_id text NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    fingerprint text NOT NULL,
    idempotency text,
    length bigint NOT NULL,
    owner text NOT NULL,
    state text NOT NULL,
    settlement text,
    caller text NOT NULL,
    made text,
    claim text,
    known_to bigint,
    facts_sealed text NOT NULL,
    answer_sealed text,
    repeats text,
    created_at bigint NOT NULL,
    untold_at bigint,
    unknown_at bigint,
    next_at bigint,
    attempts bigint NOT NULL,
    settled_at bigint,
    settled_by text,
    note text NOT NULL,
    steps_sealed text,
    resembles text,
    allotted bigint
);


--
-- Data for Name: account_api_keys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: account_details; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.account_details VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.account_details VALUES ('ee8560de-da51-4793-8280-4971f31aa4db', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: account_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.account_events VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 1, 1795646588358, 'added', 'operator', 'Shared Studio', 1, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 2, 1795646588363, 'invited', 'operator', 'a link was made', 2, NULL, NULL);
INSERT INTO public.account_events VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 3, 1795646588570, 'crosswalk.learned', 'customer', '1 pair learned, 0 known, 0 in conflict; every kind complete', 3, NULL, NULL);
INSERT INTO public.account_events VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 4, 1795646588763, 'consented', 'customer', 'Shared Studio connected by Ana Owner', 4, 'legacy', 'consented');
INSERT INTO public.account_events VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 5, 1795646588773, 'notice.unsent', 'bridge', 'the contact was not told who approved: no mail server is configured (CAUSEWAY_SMTP_URL). Tell the customer yourself', 5, NULL, NULL);
INSERT INTO public.account_events VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 6, 1795646588937, 'migrated', 'bridge', 'all checks passed', 6, 'consented', 'migrated');
INSERT INTO public.account_events VALUES ('ee8560de-da51-4793-8280-4971f31aa4db', 1, 1795646589074, 'added', 'operator', 'Invited Studio', 7, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('ee8560de-da51-4793-8280-4971f31aa4db', 2, 1795646589079, 'invited', 'operator', 'a link was made', 8, NULL, NULL);


--
-- Data for Name: account_groups; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.accounts VALUES ('ee8560de-da51-4793-8280-4971f31aa4db', 'Invited Studio', 'standard', 'added', 1795646589074, 'legacy', 1795646589074, NULL, 'W9zM4sovSUhZIZVB5tn_PFTLcq4LmkOlqCEczPAgt5Q', 'kept:ZYCn_ssMBttvDoef:LKebRvdph8dlZPGw2J-LHoBX10Of_ApA_7Ieng2kllA:lp5K2gXIXp2liV8SM1eApA', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:t2MSxjg506zWGoOq:IgLLFdXz_sq6lp2ULosb6nHvNOXw9BIwu3duzAhBatI:p1uoCb0iHbPMcBQM3THNPA', NULL, NULL, NULL, NULL, 'default', NULL);
INSERT INTO public.accounts VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'Shared Studio', 'standard', 'added', 1795646588358, 'migrated', 1795646588937, 1795646589194, 'yXb2A6rQDeMr_QudyCnhiAGB3xQEJJ65leYmUKqZwqI', 'kept:GGXltQVvVfCN0hNR:YAS1Yv0z4PI64l35xN6zR9oL20EMoHZiQebnUip1LkI:Y2t-RJDCWG8TrE-GtNARQg', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:YHGxM-HTFBa-uRab:IulYr0CCIO_ahpxJulT6BpjKAq1EOs4izidS_1UAEIo:ykfM_ZEN3yZXE1CWEU_M2Q', 'd46feab2-0a67-4080-bf02-46eb85176b0f', 'cc0d5855-9030-4608-8060-666f5b47d9fd', 'Shared Studio', NULL, 'default', NULL);


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: awaiting_consents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: call_hours; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_hours VALUES (1795644000000, 'b640743a-a321-4d99-9a16-b8e53ef447bf', 'v3', 2, 0);


--
-- Data for Name: call_journal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: call_packs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_packs VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 1795629600000, 1795646589194, 2, 'jY7BTsMwDIbfxecEOYmbJrsjxAGBxG5TD07qiErbCm06CSHeHWWwOxdLv/9Pn/0FnPO8nevjCLsDJE/Yk2PNzhpNY4w6svE6BemcFKI+FVD/wwYFi3xssv65yZkQE7N2ZElTSU4nOxbNNkpAothbbO7Igr4TLRhJU6SkGZl1zsbkZEoYCzc3V9gdTB87T74L0WBQwQ8KLrKkdu7hfg8KXp5f940+SX2br2/k4yTnenec1grqlngcG7XO25KlURcHqo22rFy3FXYHi6gs4qCg8HSUZkPV4mnKy9wIEzyiCuSv1Pa+1kX49HSrXWv7X0X6rNJ2Ho3yaIfvHw==');


--
-- Data for Name: campaign_runs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: consent_attempts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: consent_choices; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: console_results; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: console_sessions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: console_tokens; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: counters; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.counters VALUES ('feed', 8);


--
-- Data for Name: crosswalk; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.crosswalk VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'client', 1000000, '9d5fca6a-f325-4923-ab65-17f8b0636539', 'learned');
INSERT INTO public.crosswalk VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'client', 1500000000, 'd76246d1-1ce8-442b-9e2c-d1f8e95bb947', 'allotted');


--
-- Data for Name: crosswalk_kinds; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'category', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'comment', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'contact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'cost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'customField', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'document', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'group', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'invoiceTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'job', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'jobCost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'jobTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'lead', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'leadCategory', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'note', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'relationship', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'staff', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'supplier', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'supplierContact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'task', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'template', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'time', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'client', 1, 1500000000);


--
-- Data for Name: crosswalk_unlearned; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: delivery_attempts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: deployment; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.deployment VALUES ('this', 'f5f6dfb7-1ff6-4e9a-98c9-7a2af15b3734', 1795646588258, 'server 7712243333505044702 00000001 5 16582 1795646579812868 127.0.0.1:38081/postgres', 1795646588258, NULL, NULL, NULL, NULL);


--
-- Data for Name: deployment_instances; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: forecasts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: grant_spares; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: grants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.grants VALUES ('d46feab2-0a67-4080-bf02-46eb85176b0f', '1b9c0793-f0a5-4f10-8b37-f0305aa68b06', 'Ana Owner', 'owner@shared.example', 'openid profile email service offline_access', 1795646588697, 1795646588796, 'held', 2, 'kept:JOFp5p0C4dlPVbkx:Q1gA241S_EvNk2v5_JmDAJ_PxPTeCmxhTAIkCU1psxGmDUcniEIdr5pAl2sP_wL8MS8iDIQoav6GhJvHvUt-XApvZcEftlmblIjXzNtQ1h-N1ffn8p3bc5n0L5DnU2f71chUrOAO8c20KrqwRxJdGdXxHEuDUcqlMwDItVATHCjlpEQT2LQHPZfteTG-v949VjmrDs75NkQtzviJ1p4TVJxECn4PeVecLm-c44-xpX5PaEzeb7KL65P1jss7QYZmqEUf6AonExhOw5idI_lQykGVR556sIEd_WqVRRzckEyASvKDNG5QET5OmnyMEaaBJ9sHCALQBNjgN9IO0qOLPA2QW-iG6_8ZR-eR5ZEa5QqfRPqn_V6VyT5u2qHc3bB5SalUnVz2QMJys9GkEQcrB9YXt-V9Mjdri-Du-GK21TQASchl7c1wwN18xfagI00QGXG_Czp0HWCsEuOp1ZzV0Piis8vjxIsvgMXvCgxFAUb_omFyPhI8cxgLIyPO6KFQPHh6GB9V_2ja1-nZ8qHZBkmaiZmiZPAFJszyfVmjxFkiNOsVKhOFGX_zSl0VYbp_KmGsqYIUcYrQS4OG8dcAhe-F2cWJv8bSMuTJddbFEF9WvxdA2pEVebhjmY-k7vO30aOIFXsQynCKFWH9rysANE57IioXReR9Lci_d_YpClX9RZzJ5sa7ZUvx7RU7eMKEfOzcuaQ6IRdn7OQZsa8976QU6MbdnjeujV3YgEPjjx13rqxvHKYButiiCWLtSeb7w-Ney3et06pOHQ33aQ3He4KFOCXOjSngkPGFaUo1H2PBm_AaCFBhCzU8naRdFRRoppcsT3RgGQU8NnvKHCdxEvE08pIzR6AOlgFP7qD_rmNGlqqdOL8twVwBZlZ7ax3JPUlNgVmUdWIfqw-iDuOs6DsIc-BhX27NX7WTTI0b4H_4HZeswBRwybnKOe2Hoc88NiMA7vN9qrE8TtWtGapNhJ92kJr4UFNHl50KTJrgqfDu3raQ9w1CeiyCA1PSu_2YZXqO5MfIDAxcH_u755T0mBassm7lwOfJXGzitCJSXIPoLZjsl4GQaDXkExrXenlJ1NPNRygs91YtA5BFqYf3dyyuuC6Gb710flH92nHpvbZWUyWkKZBUjNTOqQ_Vcuak7j18GDjcEML1I9zaL7Ft56VnLv1jAZ6ybALZdZNeQ8NzLUS2Ro7FYx7h-V5q0ZDVBulyVKa2BUsQ6Ro1QAkuAK4xcwoU45RMeUyYKxV0CHwOo28q_nraxgEVvOQTCP9axDPMG0o2HW_03agv3D3O9t99mPb9N_ifm6ae1qJL2ege5TZpZPvZNtDRpyUIIPAZH8NcSziyhstptXh32mDrqdPPfD67NhdDPqlHBetbaN0UUaJBnq3eJ1Gfwx4mns4IGdtUSC8McOsfuP-5fpPG4XO42bIllFjs8QkQZuiwLdmuzxKrI9k_rJSGKM8ennJUBTpBbEKHrSc-WijX42IhKonJnUkZsW-62P3XWjf8qNSH1PtOKlmLXLTZCn-Fojudpg78SSO9NmphgJRhMFgzVLlSWUr7PKVCyhQyqcDAlmJXYCzzO1RuleEKhFI2-wnSgBcjTLdN5iClmlQAh9ugBXk_f-LPK_gm5GVcrSe49GOVWb1mxzokq2aTEWaFFt283A:Fuj3P13vPhgg-RB-P9SdKA', 1795648388000, 'kept:og97aMwSixtOENkA:CQRSP6EgRL-qUMpe8iIkoA8_htEgwjH9mtzZlBGfQ1inQjupgID0GqnuQw:G0yl_8kEBQzGpo0TK6FPxQ', NULL, 0, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'default');


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.invitations VALUES ('7d155e2c-b580-42ce-b083-2fc3faeb763c', 'b640743a-a321-4d99-9a16-b8e53ef447bf', 'pghgk_Oe3bpR2x1sjWX56pNg23e3zTj0tDJSJdRlJxM', 'accepted', 1795646588763, 1795646588363, 1798238588363);
INSERT INTO public.invitations VALUES ('7102b4a6-a1ec-4f6f-83c3-afceeb60b2ac', 'ee8560de-da51-4793-8280-4971f31aa4db', 'xn4m9_1Rs9ySxvWfBiVK3EuS5WLO82E4clOfSihRwXI', 'issued', 1795646589079, 1795646589079, 1798238589079);


--
-- Data for Name: jobs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: outbox_sending; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: parity_acceptances; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: parity_latest; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.parity_latest VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'b640743a-a321-4d99-9a16-b8e53ef447bf', 1795646588930, '{"at":1795646588930,"reads":0,"compared":0,"alike":0,"isUnfinished":false,"uncompared":{"reads":0,"why":""},"groups":[]}', '[{"at":1795646588930,"reads":0,"compared":0,"alike":0}]', NULL, NULL);


--
-- Data for Name: parity_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.parity_runs VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 1795646588930, '{"at":1795646588930,"reads":0,"alike":0,"different":0,"undecided":0,"live":0,"baseline":0,"changed":0,"noise":0,"uncompared":[],"isUnfinished":false,"groups":[]}');


--
-- Data for Name: rehearsals; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: replica_pieces; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: replicas; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: route_canaries; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: route_overrides; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sample_accounts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: samples; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.schema_version VALUES (1, 1795646588049, NULL);
INSERT INTO public.schema_version VALUES (2, 1795646588062, NULL);
INSERT INTO public.schema_version VALUES (3, 1795646588077, NULL);
INSERT INTO public.schema_version VALUES (4, 1795646588081, NULL);
INSERT INTO public.schema_version VALUES (5, 1795646588085, NULL);
INSERT INTO public.schema_version VALUES (6, 1795646588089, NULL);
INSERT INTO public.schema_version VALUES (7, 1795646588092, NULL);
INSERT INTO public.schema_version VALUES (8, 1795646588100, NULL);
INSERT INTO public.schema_version VALUES (9, 1795646588101, NULL);
INSERT INTO public.schema_version VALUES (10, 1795646588105, NULL);
INSERT INTO public.schema_version VALUES (11, 1795646588107, NULL);
INSERT INTO public.schema_version VALUES (12, 1795646588113, NULL);
INSERT INTO public.schema_version VALUES (13, 1795646588116, NULL);
INSERT INTO public.schema_version VALUES (14, 1795646588118, NULL);
INSERT INTO public.schema_version VALUES (15, 1795646588121, NULL);
INSERT INTO public.schema_version VALUES (16, 1795646588123, NULL);
INSERT INTO public.schema_version VALUES (17, 1795646588127, NULL);
INSERT INTO public.schema_version VALUES (18, 1795646588133, NULL);
INSERT INTO public.schema_version VALUES (19, 1795646588133, NULL);
INSERT INTO public.schema_version VALUES (20, 1795646588134, NULL);
INSERT INTO public.schema_version VALUES (21, 1795646588135, NULL);
INSERT INTO public.schema_version VALUES (22, 1795646588144, NULL);
INSERT INTO public.schema_version VALUES (23, 1795646588146, NULL);
INSERT INTO public.schema_version VALUES (24, 1795646588150, NULL);
INSERT INTO public.schema_version VALUES (25, 1795646588152, NULL);
INSERT INTO public.schema_version VALUES (26, 1795646588154, NULL);
INSERT INTO public.schema_version VALUES (27, 1795646588156, NULL);
INSERT INTO public.schema_version VALUES (28, 1795646588158, 0);
INSERT INTO public.schema_version VALUES (29, 1795646588160, 0);
INSERT INTO public.schema_version VALUES (30, 1795646588161, 0);
INSERT INTO public.schema_version VALUES (31, 1795646588162, 0);
INSERT INTO public.schema_version VALUES (32, 1795646588165, 0);
INSERT INTO public.schema_version VALUES (33, 1795646588167, 0);
INSERT INTO public.schema_version VALUES (34, 1795646588169, 0);
INSERT INTO public.schema_version VALUES (35, 1795646588171, 0);
INSERT INTO public.schema_version VALUES (36, 1795646588172, 0);


--
-- Data for Name: settings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.settings VALUES ('sealed', 'kept:WoHD_DJS9Ett2yyJ:qgr7-jXGkck:_as_ESRgxncIxliCllH8GA');
INSERT INTO public.settings VALUES ('sealing-since', '1795646588193');
INSERT INTO public.settings VALUES ('write-check', '1795646589119');
INSERT INTO public.settings VALUES ('permits:cc0d5855-9030-4608-8060-666f5b47d9fd
outer-tests', '6 0');
INSERT INTO public.settings VALUES ('permits', 'stopped');


--
-- Data for Name: snapshot; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.snapshot VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf asked:clientDocument', 'b640743a-a321-4d99-9a16-b8e53ef447bf', 'asked', 'kept:n7SJK6bMoEJuLWW0:TJjzszHt0SYZa6s:U_uT6U3P4BRWyCnKbTEs0Q', 1795646589020);
INSERT INTO public.snapshot VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf asked:jobDocument', 'b640743a-a321-4d99-9a16-b8e53ef447bf', 'asked', 'kept:H3pP3UiiGPhiJ2AR:BfLS9id1pNsN8zU:OIiV9XCROsnURCF3dLCzKw', 1795646589021);


--
-- Data for Name: stage_days; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.stage_days VALUES (20782, 0, 0, 0, 0, 0, 0);


--
-- Data for Name: status_links; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: suppressions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: text_changes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: token_revocations; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: usage_accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.usage_accounts VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 0, NULL, 1, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: usage_programs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: used_names; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.used_names VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 2968, 'nZFfa8MgFMW/y3m+rDFrbczbWF/6UvouPth4ywT7Z2oLZey7jySMbTTLwkD0ejxX9He0hiwrtWOpuAQBpN/gHWo0wfMxPwSfMgiNDSGhFoS99YEd6oKw9zFl1GKpFnIuF5USRUUIdkCM/HrhlFPXF/kcPPfX7W65rWQhCOl0iU270xrXR5AwhuDsrVPKYlmVvXS0h95lqB0az91b06xfZ+sVSFDf0M2G7jwbe+C/Xeu0jad05iZP8T7F5sVf2U3xrjhwvrca804/A7DOTeev5gP8W/GLv/iFf/k//p9fGwT6/XwklPEwpoQwBf4odGPMBw==');


--
-- Data for Name: watches; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: wave_accounts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: waves; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: write_marks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.write_marks VALUES ('b640743a-a321-4d99-9a16-b8e53ef447bf', 'client.add', 1);


--
-- Data for Name: write_owners; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: writes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.writes VALUES ('b9ae065e-e094-494b-a0aa-cc11cb1f8dfa', 'b640743a-a321-4d99-9a16-b8e53ef447bf', 'client.add', 'v3', 'qaJR_9ZyKzok-yx6PggpDAg0oE8H-7s5DDu3d4usliY', NULL, 45, 'vm-4420-5900927a', 'done', NULL, 'told', '1500000000', 'client:1500000000', 1499999999, 'kept:IT0-QNHUUNKXkC2Z:Z66lQA_qYtoUeiFYSV1BwRDFVrtO4M95ZpLbzcd9zejjXL7mcT8wiEiMuaHk2D8419FqGW52E9wGPUERLdAmrvLrtICuINODz00okiJjM_Tmo3rVIhIPGduk4AXaCg:QjFqa5g13HuwuFcyVIXh6g', NULL, NULL, 1795646589113, NULL, NULL, NULL, 0, NULL, NULL, '', NULL, NULL, 1500000000);


--
-- Name: account_api_keys account_api_keys_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_api_keys
    ADD CONSTRAINT account_api_keys_id PRIMARY KEY (id);


--
-- Name: account_details account_details_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_details
    ADD CONSTRAINT account_details_account_id PRIMARY KEY (account_id);


--
-- Name: account_events account_events_account_id_position; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_events
    ADD CONSTRAINT account_events_account_id_position PRIMARY KEY (account_id, "position");


--
-- Name: account_groups account_groups_name; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_groups
    ADD CONSTRAINT account_groups_name PRIMARY KEY (name);


--
-- Name: accounts accounts_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_id PRIMARY KEY (id);


--
-- Name: audit audit_seq; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_seq PRIMARY KEY (seq);


--
-- Name: awaiting_consents awaiting_consents_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.awaiting_consents
    ADD CONSTRAINT awaiting_consents_account_id PRIMARY KEY (account_id);


--
-- Name: call_hours call_hours_hour_account_id_source; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.call_hours
    ADD CONSTRAINT call_hours_hour_account_id_source PRIMARY KEY (hour, account_id, source);


--
-- Name: call_journal call_journal_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.call_journal
    ADD CONSTRAINT call_journal_id PRIMARY KEY (id);


--
-- Name: call_packs call_packs_account_id_begun_at; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.call_packs
    ADD CONSTRAINT call_packs_account_id_begun_at PRIMARY KEY (account_id, begun_at);


--
-- Name: campaign_runs campaign_runs_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.campaign_runs
    ADD CONSTRAINT campaign_runs_account_id PRIMARY KEY (account_id);


--
-- Name: consent_attempts consent_attempts_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.consent_attempts
    ADD CONSTRAINT consent_attempts_id PRIMARY KEY (id);


--
-- Name: consent_choices consent_choices_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.consent_choices
    ADD CONSTRAINT consent_choices_id PRIMARY KEY (id);


--
-- Name: console_results console_results_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.console_results
    ADD CONSTRAINT console_results_id PRIMARY KEY (id);


--
-- Name: console_sessions console_sessions_session_index; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_session_index PRIMARY KEY (session_index);


--
-- Name: console_tokens console_tokens_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.console_tokens
    ADD CONSTRAINT console_tokens_id PRIMARY KEY (id);


--
-- Name: counters counters_name; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_name PRIMARY KEY (name);


--
-- Name: crosswalk crosswalk_account_id_kind_number; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crosswalk
    ADD CONSTRAINT crosswalk_account_id_kind_number PRIMARY KEY (account_id, kind, number);


--
-- Name: crosswalk_kinds crosswalk_kinds_account_id_kind; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crosswalk_kinds
    ADD CONSTRAINT crosswalk_kinds_account_id_kind PRIMARY KEY (account_id, kind);


--
-- Name: crosswalk_unlearned crosswalk_unlearned_account_id_kind_uuid; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crosswalk_unlearned
    ADD CONSTRAINT crosswalk_unlearned_account_id_kind_uuid PRIMARY KEY (account_id, kind, uuid);


--
-- Name: deliveries deliveries_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_id PRIMARY KEY (id);


--
-- Name: delivery_attempts delivery_attempts_delivery_id_position; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delivery_attempts
    ADD CONSTRAINT delivery_attempts_delivery_id_position PRIMARY KEY (delivery_id, "position");


--
-- Name: deployment_instances deployment_instances_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deployment_instances
    ADD CONSTRAINT deployment_instances_id PRIMARY KEY (id);


--
-- Name: deployment deployment_name; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deployment
    ADD CONSTRAINT deployment_name PRIMARY KEY (name);


--
-- Name: forecasts forecasts_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.forecasts
    ADD CONSTRAINT forecasts_account_id PRIMARY KEY (account_id);


--
-- Name: grant_spares grant_spares_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.grant_spares
    ADD CONSTRAINT grant_spares_id PRIMARY KEY (id);


--
-- Name: grants grants_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_id PRIMARY KEY (id);


--
-- Name: invitations invitations_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_id PRIMARY KEY (id);


--
-- Name: jobs jobs_name; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_name PRIMARY KEY (name);


--
-- Name: outbox outbox_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_id PRIMARY KEY (id);


--
-- Name: outbox_sending outbox_sending_name; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.outbox_sending
    ADD CONSTRAINT outbox_sending_name PRIMARY KEY (name);


--
-- Name: parity_acceptances parity_acceptances_account_id_difference; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.parity_acceptances
    ADD CONSTRAINT parity_acceptances_account_id_difference PRIMARY KEY (account_id, difference);


--
-- Name: parity_latest parity_latest_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.parity_latest
    ADD CONSTRAINT parity_latest_id PRIMARY KEY (id);


--
-- Name: parity_runs parity_runs_account_id_at; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.parity_runs
    ADD CONSTRAINT parity_runs_account_id_at PRIMARY KEY (account_id, at);


--
-- Name: rehearsals rehearsals_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rehearsals
    ADD CONSTRAINT rehearsals_account_id PRIMARY KEY (account_id);


--
-- Name: replica_pieces replica_pieces_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.replica_pieces
    ADD CONSTRAINT replica_pieces_id PRIMARY KEY (id);


--
-- Name: replicas replicas_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.replicas
    ADD CONSTRAINT replicas_id PRIMARY KEY (id);


--
-- Name: route_canaries route_canaries_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.route_canaries
    ADD CONSTRAINT route_canaries_account_id PRIMARY KEY (account_id);


--
-- Name: route_overrides route_overrides_method_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.route_overrides
    ADD CONSTRAINT route_overrides_method_account_id PRIMARY KEY (method, account_id);


--
-- Name: sample_accounts sample_accounts_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sample_accounts
    ADD CONSTRAINT sample_accounts_account_id PRIMARY KEY (account_id);


--
-- Name: samples samples_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.samples
    ADD CONSTRAINT samples_id PRIMARY KEY (id);


--
-- Name: schema_version schema_version_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);


--
-- Name: settings settings_name; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_name PRIMARY KEY (name);


--
-- Name: snapshot snapshot_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.snapshot
    ADD CONSTRAINT snapshot_id PRIMARY KEY (id);


--
-- Name: stage_days stage_days_day; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stage_days
    ADD CONSTRAINT stage_days_day PRIMARY KEY (day);


--
-- Name: status_links status_links_message_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.status_links
    ADD CONSTRAINT status_links_message_id PRIMARY KEY (message_id);


--
-- Name: suppressions suppressions_address; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.suppressions
    ADD CONSTRAINT suppressions_address PRIMARY KEY (address);


--
-- Name: text_changes text_changes_seq; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.text_changes
    ADD CONSTRAINT text_changes_seq PRIMARY KEY (seq);


--
-- Name: token_revocations token_revocations_grant_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token_revocations
    ADD CONSTRAINT token_revocations_grant_id PRIMARY KEY (grant_id);


--
-- Name: usage_accounts usage_accounts_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_accounts
    ADD CONSTRAINT usage_accounts_account_id PRIMARY KEY (account_id);


--
-- Name: usage_programs usage_programs_account_id_program; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage_programs
    ADD CONSTRAINT usage_programs_account_id_program PRIMARY KEY (account_id, program);


--
-- Name: used_names used_names_account_id_week; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.used_names
    ADD CONSTRAINT used_names_account_id_week PRIMARY KEY (account_id, week);


--
-- Name: watches watches_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.watches
    ADD CONSTRAINT watches_account_id PRIMARY KEY (account_id);


--
-- Name: wave_accounts wave_accounts_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wave_accounts
    ADD CONSTRAINT wave_accounts_account_id PRIMARY KEY (account_id);


--
-- Name: waves waves_name; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.waves
    ADD CONSTRAINT waves_name PRIMARY KEY (name);


--
-- Name: write_marks write_marks_account_id_method; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.write_marks
    ADD CONSTRAINT write_marks_account_id_method PRIMARY KEY (account_id, method);


--
-- Name: write_owners write_owners_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.write_owners
    ADD CONSTRAINT write_owners_id PRIMARY KEY (id);


--
-- Name: writes writes_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.writes
    ADD CONSTRAINT writes_id PRIMARY KEY (id);


--
-- Name: account_api_keys_account_id_key_index; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX account_api_keys_account_id_key_index ON public.account_api_keys USING btree (account_id, key_index);


--
-- Name: account_details_email_key; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX account_details_email_key ON public.account_details USING btree (email_key);


--
-- Name: account_events_kind; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX account_events_kind ON public.account_events USING btree (kind);


--
-- Name: account_events_seq; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX account_events_seq ON public.account_events USING btree (seq);


--
-- Name: account_events_to_stage_at_from_stage; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX account_events_to_stage_at_from_stage ON public.account_events USING btree (to_stage, at, from_stage);


--
-- Name: accounts_account_key_index; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX accounts_account_key_index ON public.accounts USING btree (account_key_index);


--
-- Name: accounts_application_id_organisation_id; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX accounts_application_id_organisation_id ON public.accounts USING btree (application_id, organisation_id) WHERE (stage <> 'awaiting-operator'::text);


--
-- Name: accounts_grant_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX accounts_grant_id ON public.accounts USING btree (grant_id);


--
-- Name: accounts_name; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX accounts_name ON public.accounts USING btree (name);


--
-- Name: call_hours_account_id_hour; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX call_hours_account_id_hour ON public.call_hours USING btree (account_id, hour);


--
-- Name: call_packs_last_at_account_id_calls; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX call_packs_last_at_account_id_calls ON public.call_packs USING btree (last_at, account_id, calls);


--
-- Name: campaign_runs_state_next_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX campaign_runs_state_next_at ON public.campaign_runs USING btree (state, next_at);


--
-- Name: consent_attempts_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX consent_attempts_expires_at ON public.consent_attempts USING btree (expires_at);


--
-- Name: consent_attempts_state_index; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX consent_attempts_state_index ON public.consent_attempts USING btree (state_index);


--
-- Name: consent_choices_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX consent_choices_expires_at ON public.consent_choices USING btree (expires_at);


--
-- Name: consent_choices_key_index; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX consent_choices_key_index ON public.consent_choices USING btree (key_index);


--
-- Name: console_results_kept_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX console_results_kept_at ON public.console_results USING btree (kept_at);


--
-- Name: console_sessions_seen_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX console_sessions_seen_at ON public.console_sessions USING btree (seen_at);


--
-- Name: console_tokens_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX console_tokens_name ON public.console_tokens USING btree (name);


--
-- Name: console_tokens_token_index; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX console_tokens_token_index ON public.console_tokens USING btree (token_index);


--
-- Name: crosswalk_account_id_kind_uuid; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX crosswalk_account_id_kind_uuid ON public.crosswalk USING btree (account_id, kind, uuid);


--
-- Name: deliveries_created_at_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_created_at_id ON public.deliveries USING btree (created_at, id);


--
-- Name: deliveries_state_next_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_state_next_at ON public.deliveries USING btree (state, next_at);


--
-- Name: grant_spares_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grant_spares_expires_at ON public.grant_spares USING btree (expires_at);


--
-- Name: grant_spares_grant_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grant_spares_grant_id ON public.grant_spares USING btree (grant_id);


--
-- Name: grants_confirm_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grants_confirm_at ON public.grants USING btree (confirm_at);


--
-- Name: grants_state_next_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grants_state_next_at ON public.grants USING btree (state, next_at);


--
-- Name: grants_withheld_fence; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grants_withheld_fence ON public.grants USING btree (withheld_fence);


--
-- Name: invitations_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX invitations_account_id ON public.invitations USING btree (account_id);


--
-- Name: invitations_link_index; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX invitations_link_index ON public.invitations USING btree (link_index);


--
-- Name: outbox_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX outbox_account_id ON public.outbox USING btree (account_id);


--
-- Name: outbox_claimed_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX outbox_claimed_at ON public.outbox USING btree (claimed_at);


--
-- Name: outbox_state_next_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX outbox_state_next_at ON public.outbox USING btree (state, next_at);


--
-- Name: outbox_to_key_claimed_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX outbox_to_key_claimed_at ON public.outbox USING btree (to_key, claimed_at);


--
-- Name: replica_pieces_replica_id_place; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX replica_pieces_replica_id_place ON public.replica_pieces USING btree (replica_id, place);


--
-- Name: replicas_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX replicas_account_id ON public.replicas USING btree (account_id);


--
-- Name: samples_account_id_purpose_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX samples_account_id_purpose_at ON public.samples USING btree (account_id, purpose, at);


--
-- Name: samples_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX samples_expires_at ON public.samples USING btree (expires_at);


--
-- Name: snapshot_account_id_kind; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX snapshot_account_id_kind ON public.snapshot USING btree (account_id, kind);


--
-- Name: status_links_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX status_links_account_id ON public.status_links USING btree (account_id);


--
-- Name: status_links_link_index; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX status_links_link_index ON public.status_links USING btree (link_index);


--
-- Name: text_changes_language_path; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX text_changes_language_path ON public.text_changes USING btree (language, path);


--
-- Name: token_revocations_next_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX token_revocations_next_at ON public.token_revocations USING btree (next_at);


--
-- Name: writes_account_id_claim; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX writes_account_id_claim ON public.writes USING btree (account_id, claim);


--
-- Name: writes_account_id_fingerprint; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_account_id_fingerprint ON public.writes USING btree (account_id, fingerprint);


--
-- Name: writes_account_id_idempotency; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX writes_account_id_idempotency ON public.writes USING btree (account_id, idempotency);


--
-- Name: writes_account_id_resembles; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_account_id_resembles ON public.writes USING btree (account_id, resembles);


--
-- Name: writes_account_id_state_method; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_account_id_state_method ON public.writes USING btree (account_id, state, method);


--
-- Name: writes_caller; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_caller ON public.writes USING btree (caller);


--
-- Name: writes_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_created_at ON public.writes USING btree (created_at);


--
-- Name: writes_repeats; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX writes_repeats ON public.writes USING btree (repeats);


--
-- Name: writes_state_next_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_state_next_at ON public.writes USING btree (state, next_at);


--
-- Name: writes writes_marked; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER writes_marked AFTER INSERT ON public.writes FOR EACH ROW EXECUTE FUNCTION public.mark_write();


--
-- PostgreSQL database dump complete
--

\unrestrict XmteH8ZTsahF1J9JmvibkmoCq6dZhguCAJaRzE52I2fkorlfbF2M7u460aQ7bcf

