--
-- PostgreSQL database dump
--

\restrict kTswe8sZTp9ljeIjNag5iKvF80ZEfaj4FTwMSYUwy0GkJ265is9uvRijW8LNMfv

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
-- Name: mark_accounts(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mark_accounts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin
     if not exists (select from account_marks where changed_by = txid_current()) then
       insert into account_marks (id, changed_by) values (1, txid_current())
         on conflict (id) do update set changed_by = excluded.changed_by;
     end if;
     return null; end $$;


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
-- Name: account_marks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account_marks (
    id bigint NOT NULL,
    changed_by bigint NOT NULL
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
    notices bigint,
    brownout_from bigint,
    brownout_to bigint
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
-- Name: brownout_accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.brownout_accounts (
    brownout_id text NOT NULL,
    account_id text NOT NULL,
    refused bigint NOT NULL
);


--
-- Name: brownouts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.brownouts (
    id text NOT NULL,
    query text NOT NULL,
    from_at bigint NOT NULL,
    to_at bigint NOT NULL,
    planned_at bigint NOT NULL,
    who text NOT NULL,
    stopped_at bigint,
    stopped_by text
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
-- Name: drift_alarms; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.drift_alarms (
    id text NOT NULL,
    content text NOT NULL,
    state text NOT NULL,
    since bigint NOT NULL,
    raised_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    by text,
    reason text
);


--
-- Name: drift_forms; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.drift_forms (
    account_id text NOT NULL,
    upstream text NOT NULL,
    method text NOT NULL,
    operation text NOT NULL,
    content text NOT NULL,
    departures text,
    answers bigint NOT NULL,
    last_at bigint NOT NULL
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
-- Name: grant_exports; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.grant_exports (
    id text NOT NULL,
    account_id text NOT NULL,
    grant_id text NOT NULL,
    organisation_id text NOT NULL,
    organisation_name text NOT NULL,
    user_id text NOT NULL,
    user_name text,
    user_email text,
    scope text NOT NULL,
    generation bigint NOT NULL,
    access_token text NOT NULL,
    access_expires_at bigint NOT NULL,
    refresh_token text NOT NULL,
    exported_at bigint NOT NULL,
    who text NOT NULL,
    recipient text NOT NULL,
    application_id text DEFAULT 'default'::text NOT NULL
);


--
-- Name: grant_imports; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.grant_imports (
    id text NOT NULL,
    account_id text NOT NULL,
    token_index text NOT NULL,
    state text NOT NULL,
    reason text,
    given text,
    organisations text NOT NULL,
    who text NOT NULL,
    started_at bigint NOT NULL,
    since bigint NOT NULL
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
    report text
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
    invited_at bigint,
    place bigint,
    left_reason text
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

INSERT INTO public.account_details VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.account_details VALUES ('ac4e87ce-6abe-457e-8e5d-7c5df9976b99', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: account_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.account_events VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 1, 1795701218936, 'added', 'operator', 'Shared Studio', 1, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 2, 1795701218953, 'invited', 'operator', 'a link was made', 2, NULL, NULL);
INSERT INTO public.account_events VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 3, 1795701219271, 'crosswalk.learned', 'customer', '1 pair learned, 0 known, 0 in conflict; every kind complete', 3, NULL, NULL);
INSERT INTO public.account_events VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 4, 1795701219456, 'consented', 'customer', 'Shared Studio connected by Ana Owner', 4, 'legacy', 'consented');
INSERT INTO public.account_events VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 5, 1795701219464, 'notice.unsent', 'bridge', 'the contact was not told who approved: no mail server is configured (CAUSEWAY_SMTP_URL). Tell the customer yourself', 5, NULL, NULL);
INSERT INTO public.account_events VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 6, 1795701219830, 'migrated', 'bridge', 'all checks passed', 6, 'consented', 'migrated');
INSERT INTO public.account_events VALUES ('ac4e87ce-6abe-457e-8e5d-7c5df9976b99', 1, 1795701220116, 'added', 'operator', 'Invited Studio', 7, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('ac4e87ce-6abe-457e-8e5d-7c5df9976b99', 2, 1795701220125, 'invited', 'operator', 'a link was made', 8, NULL, NULL);


--
-- Data for Name: account_groups; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: account_marks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.account_marks VALUES (1, 761);


--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.accounts VALUES ('ac4e87ce-6abe-457e-8e5d-7c5df9976b99', 'Invited Studio', 'standard', 'added', 1795701220116, 'legacy', 1795701220116, NULL, 'W9zM4sovSUhZIZVB5tn_PFTLcq4LmkOlqCEczPAgt5Q', 'kept:m5XPax249Y9UH7u-:iz4lGXFWyF00Wn8guudU9TufP3288aCbAcH4uvxxJic:dY6-d425U1LrGprrrAm6OA', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:eMbGnY-ImHbMu86W:2VvLkjhRIBI1ERRA2JmXDTcBvwlhrkQPBkgRAAm5tu0:7iB07wcvf9zpFQbUbOdhLQ', NULL, NULL, NULL, NULL, 'default', NULL, NULL, NULL);
INSERT INTO public.accounts VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'Shared Studio', 'standard', 'added', 1795701218936, 'migrated', 1795701219830, 1795701220403, 'yXb2A6rQDeMr_QudyCnhiAGB3xQEJJ65leYmUKqZwqI', 'kept:MMwZLXbCWkz3UOzz:cvhdypFArdgInIPOXXcg4_zpxGTzVxjgGiwVOV9ASTw:ckxN_EdkvUBmldz2xZ1sUQ', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:dH20BgIu7Q8g57_1:4JCziFPhmuy3Ociqna7LqCHlnD44ab8FF00NyFgMyqk:XByDJ22SE60YqBIKiBLBDg', '28e0fc52-ea77-47f1-b0d2-6f8134447dab', '63217e8e-a326-46f9-88f3-43484505b60b', 'Shared Studio', NULL, 'default', NULL, NULL, NULL);


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: awaiting_consents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: brownout_accounts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: brownouts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: call_hours; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_hours VALUES (1795698000000, 'b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'v3', 2, 0);


--
-- Data for Name: call_journal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: call_packs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_packs VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 1795694400000, 1795701220403, 2, 'jY+9TsQwEITfZWsbrX9jp0eIAoHEdVGKjb0RkXIXSJyTEOLdkcPRU87ON6OdL6CUlv1SHjO0HQyBompUlqPPJG2kLGlMjXTMlq1OQVkP4n9YL2Dlj523W3djg4lWKWmcH6WlxsghKi/JDc74mMlmAwKsydmhd9KRJ2kDORnZZWkM6Yh2xAEZegFUoO1UE12DSmvUGISKrhdw5XWoWx7uTyDg5fn1VPEzl7fl2JjmiS/lbp62AgJuinKu1Lbsa+KavtZfruY4Fir7Bm2nEYVG7AWMNM1c21BUeZ7SulTCu4goVIjhwPb3raxM56c/XyFW3/3aw2fhI4VKeNT99w8=');


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

INSERT INTO public.crosswalk VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'client', 1000000, 'c21e8315-a70f-4298-b72f-f578f680551d', 'learned');
INSERT INTO public.crosswalk VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'client', 1500000000, 'cf21e869-acf5-4f50-ba52-d88674d334e8', 'allotted');


--
-- Data for Name: crosswalk_kinds; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'category', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'comment', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'contact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'cost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'customField', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'document', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'group', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'invoiceTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'job', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'jobCost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'jobTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'lead', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'leadCategory', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'note', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'relationship', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'staff', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'supplier', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'supplierContact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'task', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'template', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'time', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'client', 1, 1500000000);


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

INSERT INTO public.deployment VALUES ('this', 'f871f0d0-f8ea-47b6-8192-978a6243d790', 1795701218674, 'server 7712477953657928700 00000001 5 16582 1795701207071173 127.0.0.1:46611/postgres', 1795701218674, NULL, NULL, NULL, NULL);


--
-- Data for Name: deployment_instances; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: drift_alarms; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: drift_forms; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.drift_forms VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'v3', 'client.list', '', '7ZfRatswFIZfJZxrQW1DE+q74K6QmxKSlTGML2T7OFZRpKAjJ9lK3n3YTsdW0pLROYmDrmKCkKzPH/8vvQBXtEFDEPoMCmHIQuiP7m5Hnh8Enj8MGEh+4E9BD5WUEBZcEjJYSZ4hQRjHMLfcVgTsBQxm2uTt1Dp9xswShB6DNZdVPdhnIGiGK+QW899TWcNFPTCOoUSD9USEqJrhf75sioU22Ez4D++9FET1Yh6D9nH8un+PAQmV1TPuEhaDxa09z+JJs/5Xbbmc7RH2nuam1BIHqlqmaAacBuemO+WLRq1+O3qJVOfipyN7TIQeGUVtGkRSoLJ00/7ePD1N7vsfsa+7OH2+H4T6yJdXYO65k/WNqeM8N0hXcB5Q2pZCLc55JHiDNhL2R/9D4PK4znAhtHJkD5/8P1NbU0020vkVpOzlWRvpSlnjAuGdC+tnteXSNVkQeP4w6Ayw67Mu6bpW69Ze121+1/ngGq4zhUut3Kmsg2Z74Ft3kfj/F4lvmJKwztgOjJ1hgcZwOdeVyRzhDgh/2a60sZHOHd0O6E5oajStMLP9D97vSANtBo+63gohKgh9BlzRBg01zykW2iCEHoNCGLIQ+qO725HX3VlsQmOTlWKNueMbdOLvPUq0Dq8/7AJvpJXlmaX+y6u0LYVaXE40vIvUZ7DmssI2sgTNcIW8NjwsuCRkYA0XliCMYyjRNLV4+rRjMej0ed8bp18+2SUshkgKVB/Y6VDW2ngMloII8/FrFXoMSKisbsJd0qL8S0eP7T9u6+DROp7ZiGT3Cw==', NULL, 1, 1795701220162);


--
-- Data for Name: forecasts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: grant_exports; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: grant_imports; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: grant_spares; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: grants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.grants VALUES ('28e0fc52-ea77-47f1-b0d2-6f8134447dab', 'b321199b-a3ac-45df-ab8c-519bf3472f13', 'Ana Owner', 'owner@shared.example', 'openid profile email service offline_access', 1795701219405, 1795701219497, 'held', 2, 'kept:ufzrwsXS5A9w4oQQ:wzkwqxrLt7umc7gEhqOH0KCFKYZWapWHyNMXXWQySdXtGdWGfwfQIpyghar-Is8-rBLlRmG3UltaEGmYrI1M_a-yPrb-g8Kkb587t5JL6O9jIPnwecZHaNYF2vvgwgsw7Vrx4A_cuuKOQlhMqiigdw_XCQuWgzWA5L_jbIYBbshb4Chk_bRDNTyLtBGLCbuAOnW6wyFFk88tDxP2k62jukCQrEBdGsYSpoCtVKYIdEyiuusE-IesLFs1Azkd1gBTQV32sNKWsTvjlxDW8sBxEITEE0NkItMQ_RB_WdWjM8mxPuoNqlGXbdArH1-U0tGoV7z9X25FaYacpdbCVXYeI0a5Z2Yf6s50pybXPD56nNEJ195us7zNP5xEekQfsiwmU8wnPW_DMALBGgOrZ7F9WKVjO5kwvCihKaZZQ0ZB-051APGGO3BWC9bHTGz4F7dD47q1xE7zAOQCExRuCkxtFfDXqDpmry4Ev8EdPqo0EzpRzJ9p80y7yTkccpBRYv9ywQLuq8qHvUHwHj0k3rMVLLGqmUzGpUYfURUYmRZ87dEArAg461VCJST1e1tj_cWDJgc18iK1yaxD70iQ1N0AUmdL7Tbu1_erykWsNn7zgFENOHyKHG1YUPSw7N34WBP01H3EVDp58Q6kHOlROLa_OfN_0I1UQ4cWOAFMtEronl974HX-TW7XGHF729jP5_ZkDyYflUayUmUT6JVnOvtBG8GpUsb6yXVlzbM61fJUnD299jVQW2IQoO5HRf2SoJsSq2q7MT2CehWkG72ZGqltzohIMfK2x_DEDWUh9Ho7hLAwkcuK1PxKym64nH41GPsf5XpZRYalu8x5PjhixItR_tRz5TxFHdikfptjYVqVYrg0qkM8qeJKxiSEM5nwfoaMkLAzbwQWVW-TT1sW0NWqcwmeZcXAQfwCmZZl82CxBkxpgzgxpkz5M_jWbE91KWceaQRhcS_jfT9CtIw7agN6m7FuJ6OowA_DKkYzX49h-3je7_oWlDFrE8ABCrjgHLtVjLe9TOuk8poSlTL00p_yYm0iCJnpsrUxBYSzeaZcsmkYAyUk53GJAJnC_7e0sAWpShJH2Y4HMzgao7vET9gJc8upzoUopm1hk8PHV9c3GLMU6W4qRSYiFFIdnBwXyB677XePTJ5a79Hmb39X3rpWqtgymkXNDLZT-zJBQbxcUaGdv8TmsXBNXi8VTN7gYTzoShgXDg78MKBU0QHqsx2kF-edO4EwbwiDXVUsUetN4XLhB5HXewCvJ4Sh_Fl-jYKo3Gwix9UFE_tP8Qt9qYDRPHOdcnMio3okypSGdbnj-yuaW30OhycAXhMa-BLOsWfsKlgoNbxPhURyQXd3q2uLMKE79ekf4UrARQrBUCsTCz5BBn63YgSfBmTRTtv0y_K5S98BqoCt8Mtr6yf9wIZJ8AEfPyLWgrEdUxyQAqHyPbU1KWfUbbosBO7BQNoEst3TdKmZsp4d0uU6chncVROtKbNeGRzViHES-qYrBhQ8Qpvr51XC5fcXBDR-Mlird6AbneHEEUp_KE8UjV4n8Zo_LyobxE1KBkU9Kc3-pzxKDiKQXjlslV-sg6p9LGitkv84ipLCFiVzIRmliPkF4kLuCsTYSk8mCUWTKty9QwTsqJuRptMpNFTs-qMmQsD_UeeHHA:5-ppWPCRMu6DrULtF7KHeA', 1795703019000, 'kept:sHviiR8nSiyoHOcX:wbq8LYU_WKXE3qPc1_4rwdl3gtUVVs1-ybTSOWVanVIx4IdM5PSTr_hG7w:SxphHPr3yvO0H9MWF9_d-g', NULL, 0, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'default');


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.invitations VALUES ('2258781c-fc56-4dd9-a672-67db950c009a', 'b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'KCplVnn0ZO-YaQz_7DWqDCkDhK4W6Wu9cT5kz9ccbuM', 'accepted', 1795701219456, 1795701218953, 1798293218953);
INSERT INTO public.invitations VALUES ('f281e539-c72b-472c-b9d3-0a38d5652c81', 'ac4e87ce-6abe-457e-8e5d-7c5df9976b99', 'OhRa6uGMnDO9xjMxvLIpWIWH2Dk6yLPy8y3_h4MVKBM', 'issued', 1795701220125, 1795701220125, 1798293220125);


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

INSERT INTO public.parity_latest VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 1795701219816, '{"at":1795701219816,"reads":0,"compared":0,"alike":0,"isUnfinished":false,"uncompared":{"reads":0,"why":""},"groups":[]}', '[{"at":1795701219816,"reads":0,"compared":0,"alike":0}]', NULL, NULL);


--
-- Data for Name: parity_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.parity_runs VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 1795701219816, '{"at":1795701219816,"reads":0,"alike":0,"different":0,"undecided":0,"live":0,"baseline":0,"changed":0,"noise":0,"groups":[],"uncompared":[],"isUnfinished":false}');


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

INSERT INTO public.schema_version VALUES (1, 1795701218201, NULL);
INSERT INTO public.schema_version VALUES (2, 1795701218226, NULL);
INSERT INTO public.schema_version VALUES (3, 1795701218260, NULL);
INSERT INTO public.schema_version VALUES (4, 1795701218268, NULL);
INSERT INTO public.schema_version VALUES (5, 1795701218273, NULL);
INSERT INTO public.schema_version VALUES (6, 1795701218279, NULL);
INSERT INTO public.schema_version VALUES (7, 1795701218283, NULL);
INSERT INTO public.schema_version VALUES (8, 1795701218294, NULL);
INSERT INTO public.schema_version VALUES (9, 1795701218295, NULL);
INSERT INTO public.schema_version VALUES (10, 1795701218300, NULL);
INSERT INTO public.schema_version VALUES (11, 1795701218303, NULL);
INSERT INTO public.schema_version VALUES (12, 1795701218312, NULL);
INSERT INTO public.schema_version VALUES (13, 1795701218315, NULL);
INSERT INTO public.schema_version VALUES (14, 1795701218317, NULL);
INSERT INTO public.schema_version VALUES (15, 1795701218321, NULL);
INSERT INTO public.schema_version VALUES (16, 1795701218324, NULL);
INSERT INTO public.schema_version VALUES (17, 1795701218334, NULL);
INSERT INTO public.schema_version VALUES (18, 1795701218343, NULL);
INSERT INTO public.schema_version VALUES (19, 1795701218344, NULL);
INSERT INTO public.schema_version VALUES (20, 1795701218344, NULL);
INSERT INTO public.schema_version VALUES (21, 1795701218351, NULL);
INSERT INTO public.schema_version VALUES (22, 1795701218368, NULL);
INSERT INTO public.schema_version VALUES (23, 1795701218372, NULL);
INSERT INTO public.schema_version VALUES (24, 1795701218378, NULL);
INSERT INTO public.schema_version VALUES (25, 1795701218388, NULL);
INSERT INTO public.schema_version VALUES (26, 1795701218390, NULL);
INSERT INTO public.schema_version VALUES (27, 1795701218393, NULL);
INSERT INTO public.schema_version VALUES (28, 1795701218400, 0);
INSERT INTO public.schema_version VALUES (29, 1795701218403, 0);
INSERT INTO public.schema_version VALUES (30, 1795701218404, 0);
INSERT INTO public.schema_version VALUES (31, 1795701218405, 0);
INSERT INTO public.schema_version VALUES (32, 1795701218411, 0);
INSERT INTO public.schema_version VALUES (33, 1795701218413, 0);
INSERT INTO public.schema_version VALUES (34, 1795701218416, 0);
INSERT INTO public.schema_version VALUES (35, 1795701218416, 0);
INSERT INTO public.schema_version VALUES (36, 1795701218422, 0);
INSERT INTO public.schema_version VALUES (37, 1795701218429, 0);
INSERT INTO public.schema_version VALUES (38, 1795701218434, 0);
INSERT INTO public.schema_version VALUES (39, 1795701218439, 0);
INSERT INTO public.schema_version VALUES (40, 1795701218440, 0);
INSERT INTO public.schema_version VALUES (41, 1795701218444, 0);
INSERT INTO public.schema_version VALUES (42, 1795701218450, 0);
INSERT INTO public.schema_version VALUES (43, 1795701218451, 0);
INSERT INTO public.schema_version VALUES (44, 1795701218452, 0);
INSERT INTO public.schema_version VALUES (45, 1795701218458, 0);


--
-- Data for Name: settings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.settings VALUES ('sealed', 'kept:-Ws5uxYRu84r1_ks:nCvZV1HR2HU:n_JknQa767DM2RzioD16JQ');
INSERT INTO public.settings VALUES ('sealing-since', '1795701218494');
INSERT INTO public.settings VALUES ('write-check', '1795701218665');
INSERT INTO public.settings VALUES ('permits:63217e8e-a326-46f9-88f3-43484505b60b
outer-tests', '6 0');
INSERT INTO public.settings VALUES ('permits', 'stopped');


--
-- Data for Name: snapshot; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.snapshot VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146 asked:clientDocument', 'b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'asked', 'kept:uV5g9KFncG3J5C2e:cHJZq14upb5PUg4:jgnRVHzFcDnknSjUEsA8BA', 1795701219994);
INSERT INTO public.snapshot VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146 asked:jobDocument', 'b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'asked', 'kept:g8UF7sRGuyyDxQ-Y:HwHcdCqkA3j32s0:ILugVTOs4_W6tpWnQJ4ybA', 1795701219995);


--
-- Data for Name: stage_days; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.stage_days VALUES (20783, 0, 0, 0, 0, 0, 0);


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

INSERT INTO public.usage_accounts VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 0, NULL, 1, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: usage_programs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: used_names; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.used_names VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 2969, 'nZHJasMwEIbfZc5Dtbj1divNxZfSu9BBsSZUoCzVKIFQ+u4lNt2w25hetPx8I8T3GwOlrps1lQ1pQAA0rxA8tNDHQLt8EwNnQOhdjAytQti4EMlDKxE2IXGGVlXNXSWV1lLLGiG6mTDRy5E48zCX6BADjc+tz/lyKqVC4P0x9ZebMXAqAJW1CN6dh0TLqi7GaOe2I2XRWDQGHoa/shh30a0AFY4Dw2pxwjy6LV2nOn5Kez5Qn5ew96l/DifyS9gVRcpT1No3/FmA836x/1tZTP0P4Zd/hTDrX//P/4dYMSf0Wzl/lTI7+1mZWFCC6PiqfNHx79Ktte8=');


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

INSERT INTO public.write_marks VALUES ('b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'client.add', 1);


--
-- Data for Name: write_owners; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: writes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.writes VALUES ('43dd5065-5a6a-48a5-9e5d-33a2904f0b0e', 'b8a9171d-f6da-49ad-afc7-5ee4e42c8146', 'client.add', 'v3', '7XrAJiUHXAa5rT1lbnvrgzY7V-_XNy9jU8Cc-eTu-SE', NULL, 45, 'vm-7217-299aaf93', 'done', NULL, 'told', '1500000000', 'client:1500000000', 1499999999, 'kept:KZ06XrgQGvPstDs4:ynDdkDUqgklZ4ljP0NnXXJRMYwE6azyGtAhjX3QoPDCBQoA2CwTt2jtqoe97O58Ep4JcVyxnyx17ZxKK7vkNMZJApy4xn9KVAJEYPLmyLpGXgVxjpISNoePXBy1JGg:mmcUw2ZYS9omZzTW3jB8ew', NULL, NULL, 1795701220222, NULL, NULL, NULL, 0, NULL, NULL, '', NULL, NULL, 1500000000);


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
-- Name: account_marks account_marks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_marks
    ADD CONSTRAINT account_marks_pkey PRIMARY KEY (id);


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
-- Name: brownout_accounts brownout_accounts_brownout_id_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.brownout_accounts
    ADD CONSTRAINT brownout_accounts_brownout_id_account_id PRIMARY KEY (brownout_id, account_id);


--
-- Name: brownouts brownouts_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.brownouts
    ADD CONSTRAINT brownouts_id PRIMARY KEY (id);


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
-- Name: drift_alarms drift_alarms_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.drift_alarms
    ADD CONSTRAINT drift_alarms_id PRIMARY KEY (id);


--
-- Name: drift_forms drift_forms_account_id_upstream_method_operation; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.drift_forms
    ADD CONSTRAINT drift_forms_account_id_upstream_method_operation PRIMARY KEY (account_id, upstream, method, operation);


--
-- Name: forecasts forecasts_account_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.forecasts
    ADD CONSTRAINT forecasts_account_id PRIMARY KEY (account_id);


--
-- Name: grant_exports grant_exports_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.grant_exports
    ADD CONSTRAINT grant_exports_id PRIMARY KEY (id);


--
-- Name: grant_imports grant_imports_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.grant_imports
    ADD CONSTRAINT grant_imports_id PRIMARY KEY (id);


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
-- Name: audit_action_seq; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_action_seq ON public.audit USING btree (action, seq);


--
-- Name: audit_who_seq; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_who_seq ON public.audit USING btree (who, seq);


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
-- Name: deliveries_attempts_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_attempts_id ON public.deliveries USING btree (attempts, id);


--
-- Name: deliveries_created_at_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_created_at_id ON public.deliveries USING btree (created_at, id);


--
-- Name: deliveries_state_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_state_id ON public.deliveries USING btree (state, id);


--
-- Name: deliveries_state_next_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_state_next_at ON public.deliveries USING btree (state, next_at);


--
-- Name: deliveries_type_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_type_id ON public.deliveries USING btree (type, id);


--
-- Name: drift_forms_upstream_method; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX drift_forms_upstream_method ON public.drift_forms USING btree (upstream, method);


--
-- Name: grant_exports_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX grant_exports_account_id ON public.grant_exports USING btree (account_id);


--
-- Name: grant_imports_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX grant_imports_account_id ON public.grant_imports USING btree (account_id);


--
-- Name: grant_imports_token_index; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX grant_imports_token_index ON public.grant_imports USING btree (token_index);


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

CREATE UNIQUE INDEX writes_account_id_claim ON public.writes USING btree (account_id, claim) WHERE (claim IS NOT NULL);


--
-- Name: writes_account_id_fingerprint; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_account_id_fingerprint ON public.writes USING btree (account_id, fingerprint);


--
-- Name: writes_account_id_idempotency; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX writes_account_id_idempotency ON public.writes USING btree (account_id, idempotency) WHERE (idempotency IS NOT NULL);


--
-- Name: writes_account_id_resembles; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_account_id_resembles ON public.writes USING btree (account_id, resembles) WHERE (resembles IS NOT NULL);


--
-- Name: writes_account_id_state_method; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_account_id_state_method ON public.writes USING btree (account_id, state, method) WHERE (state = ANY (ARRAY['open'::text, 'unknown'::text]));


--
-- Name: writes_caller_owner; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_caller_owner ON public.writes USING btree (caller, owner) WHERE (caller = 'waits'::text);


--
-- Name: writes_created_at_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_created_at_id ON public.writes USING btree (created_at, id);


--
-- Name: writes_method_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_method_id ON public.writes USING btree (method, id);


--
-- Name: writes_repeats; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX writes_repeats ON public.writes USING btree (repeats) WHERE (repeats IS NOT NULL);


--
-- Name: writes_route_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_route_id ON public.writes USING btree (route, id);


--
-- Name: writes_state_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_state_id ON public.writes USING btree (state, id);


--
-- Name: account_api_keys account_api_keys_change_marked; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER account_api_keys_change_marked AFTER UPDATE ON public.account_api_keys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - 'seen_at'::text) IS DISTINCT FROM (to_jsonb(new.*) - 'seen_at'::text))) EXECUTE FUNCTION public.mark_accounts();


--
-- Name: account_api_keys account_api_keys_marked; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER account_api_keys_marked AFTER INSERT OR DELETE ON public.account_api_keys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.mark_accounts();


--
-- Name: accounts accounts_change_marked; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER accounts_change_marked AFTER UPDATE ON public.accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - 'last_call_at'::text) IS DISTINCT FROM (to_jsonb(new.*) - 'last_call_at'::text))) EXECUTE FUNCTION public.mark_accounts();


--
-- Name: accounts accounts_marked; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER accounts_marked AFTER INSERT OR DELETE ON public.accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.mark_accounts();


--
-- Name: writes writes_marked; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER writes_marked AFTER INSERT ON public.writes FOR EACH ROW EXECUTE FUNCTION public.mark_write();


--
-- PostgreSQL database dump complete
--

\unrestrict kTswe8sZTp9ljeIjNag5iKvF80ZEfaj4FTwMSYUwy0GkJ265is9uvRijW8LNMfv

