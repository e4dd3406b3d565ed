--
-- PostgreSQL database dump
--

\restrict KBP0gpJBa7CqYADMmi0PKhDpJJWcjgX3bBRYUYb3jetXg0OkDaweX0361eoiAJP

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

INSERT INTO public.account_details VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.account_details VALUES ('9b643c1b-c435-4a18-a2a4-2dee2cca22e4', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: account_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.account_events VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 1, 1795677073787, 'added', 'operator', 'Shared Studio', 1, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 2, 1795677073797, 'invited', 'operator', 'a link was made', 2, NULL, NULL);
INSERT INTO public.account_events VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 3, 1795677074076, 'crosswalk.learned', 'customer', '1 pair learned, 0 known, 0 in conflict; every kind complete', 3, NULL, NULL);
INSERT INTO public.account_events VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 4, 1795677074204, 'consented', 'customer', 'Shared Studio connected by Ana Owner', 4, 'legacy', 'consented');
INSERT INTO public.account_events VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 5, 1795677074212, 'notice.unsent', 'bridge', 'the contact was not told who approved: no mail server is configured (CAUSEWAY_SMTP_URL). Tell the customer yourself', 5, NULL, NULL);
INSERT INTO public.account_events VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 6, 1795677074399, 'migrated', 'bridge', 'all checks passed', 6, 'consented', 'migrated');
INSERT INTO public.account_events VALUES ('9b643c1b-c435-4a18-a2a4-2dee2cca22e4', 1, 1795677074547, 'added', 'operator', 'Invited Studio', 7, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('9b643c1b-c435-4a18-a2a4-2dee2cca22e4', 2, 1795677074554, 'invited', 'operator', 'a link was made', 8, NULL, NULL);


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

INSERT INTO public.accounts VALUES ('9b643c1b-c435-4a18-a2a4-2dee2cca22e4', 'Invited Studio', 'standard', 'added', 1795677074547, 'legacy', 1795677074547, NULL, 'W9zM4sovSUhZIZVB5tn_PFTLcq4LmkOlqCEczPAgt5Q', 'kept:zcRQETa6uE5E0BBR:B2tsjb6Z_n4hcv4H33ecuHPzxKkPl5LBXSkJRVMWjwU:PuJcqKeR_fkcEADYkKhXwQ', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:m34yU5E5tC8r1stD:WeUfVm0FmkFgEFOk9A36B6BCYCqXZOlZJZ_H4Scwcik:47gKny-g_N8REWnDCyrJ7A', NULL, NULL, NULL, NULL, 'default', NULL, NULL, NULL);
INSERT INTO public.accounts VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'Shared Studio', 'standard', 'added', 1795677073787, 'migrated', 1795677074399, 1795677074707, 'yXb2A6rQDeMr_QudyCnhiAGB3xQEJJ65leYmUKqZwqI', 'kept:U5KiMSwErvmmXbFU:rfSMxMTwEWLUbhqdX_rxbS4LLRYglGNUT8ry2_fOUyk:UoeLYuZi4V-qsPx4_wLvYA', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:6QqvdrxUB_mn0akh:IwHGrxzCVdrV0cyB3KZr5np02jQAU_10RLijLO3a4JY:aEvlFN_5AIHDNgB3ZG2BwA', '31fcc292-7c89-44bd-9d17-34fd05dc68e8', '2706824f-8c9b-4cbb-bcb2-3bea923f5cb7', 'Shared Studio', NULL, 'default', NULL, NULL, NULL);


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

INSERT INTO public.call_hours VALUES (1795676400000, 'ba724b69-9be3-4092-ade3-ab483697af19', 'v3', 2, 0);


--
-- Data for Name: call_journal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: call_packs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_packs VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 1795672800000, 1795677074707, 2, 'jY/NSgQxEITfpc+JdP46yd5FPIiCe1vmkGQ6OLC7ozOZBRHfXTLo3UtDdX1VTX9BKmXeru1xhMMJcvLaZooyZjbSYtQyjWxkyjYYij5VFUH8DxsELPyx8frbHevomWKVxTiSNiQnk8tB5mC0yeQwZA8ClA8muMpSk1PSGp1loqpkwRyYbK6aKgwCUoPDSfnoyHv01kUvlMJBwI2X3H95uD+CgJfn12PHL9ze5v3Hcp742u7O09pAwK9K49ipdd6Wwj19MyD66MuW2rbC4aQRhcZ+o6bpzL0NRZeXqSzzTliDKBQS7tj2vraF0+Xpz4+9QgXa3fzZuIcIlSDUw/cP');


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

INSERT INTO public.crosswalk VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'client', 1000000, '2855512c-7319-452b-8336-bd26d2fdcbb1', 'learned');
INSERT INTO public.crosswalk VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'client', 1500000000, '37002644-9bd4-40e9-863d-de850c61ce9b', 'allotted');


--
-- Data for Name: crosswalk_kinds; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'category', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'comment', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'contact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'cost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'customField', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'document', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'group', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'invoiceTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'job', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'jobCost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'jobTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'lead', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'leadCategory', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'note', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'relationship', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'staff', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'supplier', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'supplierContact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'task', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'template', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'time', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'client', 1, 1500000000);


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

INSERT INTO public.deployment VALUES ('this', '412c935e-9dea-4346-adb1-03b0ee850f76', 1795677073683, 'server 7712374268078071110 00000001 5 16582 1795677065478560 127.0.0.1:40239/postgres', 1795677073683, NULL, NULL, NULL, NULL);


--
-- Data for Name: deployment_instances; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: drift_alarms; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: drift_forms; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.drift_forms VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'v3', 'client.list', '', '7ZfRatswFIZfJZxrQW1o6sR3wV0hNyUkK2MYXyj2cayiSEFHTrKVvPuwnY61pCOjcxIHXcUEIVmfP/5fegGuaIOGIPQZ5MKQhdAPhv27IPCC2/5gyEDyA38KeiilhDDnkpDBSvIUCcI4hpnltiRgL2Aw1SZrptbzZ0wtQegxWHNZVoN9BoKmuEJuMfs9lTVcVAPjGAo0WE1EiKoe/ufLzjHXBusJ/+G9l4KoWsxj0DyOXvfvMSCh0mrGXcJisLi151k8qdf/qi2X0z3CztPcFFpiT5XLOZoep9656U74olar245eItWZ+OnIHhOhR0ZRkwaRFKgs3TS/N09P4/vuR+zrLk6f7wehPvLlFZh77mR9Z+ooywzSFZwHlLaFUItzHgneoY2E/dH9ELg8rlNcCK0c2cMn/8/U1kSTjXR2BSl7edZGulTWuED44ML6WW25dE3mBbf9wbA1wK7P2qTrWq1de123BW3ng2u41hQutHKnshaa7YFv3UXi/18kvuGchHXGtmDsFHM0hsuZLk3qCLdA+Mt2pY2NdObotkB3TBOjaYWp7X7wfkfqadN71NVWCFFB6DPgijZoqH6eY64NQugxyIUhC6EfDPt3QXtnsTGNTFqINWaO77AVf+9RonV4+4M28EZaWZ5a6r68SttCqMXlRMOHSH0Gay5LbCJL0BRXyCvDw5xLQgbWcGEJwjiGAk1di6dPOxaDnj/ve+P0yye7hMUQSYHqL3Y6lJU2HoOlIMJs9FqFHgMSKq2acJc0KN/o6LH9x20cPFrHMxuR7H4B', NULL, 1, 1795677074589);


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

INSERT INTO public.grants VALUES ('31fcc292-7c89-44bd-9d17-34fd05dc68e8', 'fbd632fc-867b-4979-b32c-32a7ad14e1c0', 'Ana Owner', 'owner@shared.example', 'openid profile email service offline_access', 1795677074162, 1795677074237, 'held', 2, 'kept:OSY45JwQOA0skz0f:IgLDaCcb9tX6CSheGEJ9RAuW5qng4swOVshoxQ_X7js6pCvuXGKc38WVb4M71eSUtcJhulS8Puz-9Jm2SrNoetU2kJAlsfGLRl14BE-8QfSCs9p9DmECb_UbX1YItutrKBibISGBsIyte99hscns3H8D14MCtrOMe3QGhfXOsCw2s8PbP5KVm3y3xVotzW55I7gOc3_QOnlwVs-KyrhktDQwBS9Lm_MfAMQoCs5BjyCQjNJTCbV7l0yJAtNzFVPM2-RW0iSTL7IKvd4aeaRiYDya9nN4_avSzDSTOLjgMT4aMZpMpFVkD2p4MXIDJePucQ_a-OXbJY1rPujCdKr4ufXJHGXrcVvRPvwMdH75a0TYMBMVhc-Flv3howWdKrdluT3OWCbVfKTwS9YjviPQqSzMV4ZqmERJbNBCp8KY7F80WWiSBvG1NTspexXspsKK9vifgSmp8uJ9VrJWml-bDZvwARbeXdiDWAAM8nnJUpsNBXft253Uy760DbRqnPS_oPOlJ6rPDguQyYLOsXI3wxeY3pDowecwoIIg-QhKMqVJDEPpNeNT5O7Sc6uZ7dwAqhMWDNlQlg0lzUczMYqCgSSTdWpo9ZM5MphwbLwUnW-lGYP-D2hnwCLA0FUqAzAKD90umcOa4KjNIXAiMz2KtPG7du21YWqvLIRw4Kr2OX0sT7ZSzLkpTPnULJiAWkGuRQ57ce1WfY6jpe2WSBH3RvIaloHTEQB3dTgOssodGbdeIygtuF0dqYKyIx5A8l7xxQcXNql-ww2IDK78VWktUxno9yzz3WzagxroSRwU_XmNiK9R8fS49k9yJ1Msej5JdernV5Auvd8x9x-ETdnAyAV-FdlLBf5bFq5nI93l2G234Nvwvsq51Zczntx39bxulOkjMXBVJ7M8-nJiGpUzqeQsHsSrTikFrCPmE_I1a96eMe_4StFindWwU3JTm0GPNJ1Xq3ePA4wRXQeaFL1tXgzguWrfcM1kjb9VF3YN_XaUm3-agPJNzkvr_5399LMW51eBXXzsQ-rLJ7dQR2cK8W5rRw7mA3etzZ2I-s2S80bZWJic_g9uihxBpTYXnnc7qfukgY47ebgN7JxIFIqiDNkDcngUGyVA8QqC9wT094JxXFyGt95wB_2fe7ZaAjunsP1EGtVBhDOBSrjRtf218nbmP8ZyBz5Ir6hgQObsb7KrJgDkK0I6XbfR1N82zxoerp-v4zEZFVIjJiKXBTgTcpBmuGLdSh6WRY6ESH6KZojJnSYKXdtmS8MH0CQvXXvtmZ92DAIMGRlmzseMoo1Q0lPyeURjT4tEWfawP80-1-8wppSjdj5pJ6IlXvpSaPD10-VvVKiJr23v0xYKCJuX7N6MQfuPfEI_fy8f9be6XWj1FGRMKPXuMeF590vFHrMaSiifgkqfkagJmflJhuB5bsQWbGFQ8PuuZntuLW3CMNhvX4P7BFx_QyqP-oLioC950Bik-WLP9lHkUok7dzYTNMonwEI9Z5026J8oDAEoPUHjsubPIYMHF1Vioc9HWpIAjePaGP5xkOMkaIyKWnLz2t32gnbWPErFJc8yf7iAz5kU0-Qp3qJ6-tg-Qj7xTK8SFO3eOtdz-agN3pSoeO5PUq4JYcIbamjA37in70vWXkM05H8BIYG7SJpSxqS_QZDM5w:f5YK-uL9JCL1tmS-KuvAZw', 1795678874000, 'kept:KwGc88-I98qpQSQ2:oW9jL0nH3jAZyKQshtfzS1Se_efyEEcps0gsZDJ9wXFmmxg2gxmSdY9iwA:2qQAapRRNIx9Ue59Dsob7A', NULL, 0, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'default');


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.invitations VALUES ('f1f5f659-5761-4db5-925e-8db40e486a3f', 'ba724b69-9be3-4092-ade3-ab483697af19', 'genbYCKtIjxXFrfIWJKjuun0K5xr7Do4v0QaBknOF9s', 'accepted', 1795677074204, 1795677073797, 1798269073797);
INSERT INTO public.invitations VALUES ('990b7e18-bdc6-4897-a4bd-324270499094', '9b643c1b-c435-4a18-a2a4-2dee2cca22e4', '6_pogcUmhhaR7p9EJjZXZ4TFc7gaXx5Um9sFjMrySyY', 'issued', 1795677074554, 1795677074554, 1798269074554);


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

INSERT INTO public.parity_latest VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'ba724b69-9be3-4092-ade3-ab483697af19', 1795677074394, '{"at":1795677074394,"reads":0,"compared":0,"alike":0,"isUnfinished":false,"uncompared":{"reads":0,"why":""},"groups":[]}', '[{"at":1795677074394,"reads":0,"compared":0,"alike":0}]', NULL, NULL);


--
-- Data for Name: parity_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.parity_runs VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 1795677074394, '{"at":1795677074394,"reads":0,"alike":0,"different":0,"undecided":0,"live":0,"baseline":0,"changed":0,"noise":0,"groups":[],"uncompared":[],"isUnfinished":false}');


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

INSERT INTO public.schema_version VALUES (1, 1795677073465, NULL);
INSERT INTO public.schema_version VALUES (2, 1795677073474, NULL);
INSERT INTO public.schema_version VALUES (3, 1795677073489, NULL);
INSERT INTO public.schema_version VALUES (4, 1795677073492, NULL);
INSERT INTO public.schema_version VALUES (5, 1795677073496, NULL);
INSERT INTO public.schema_version VALUES (6, 1795677073500, NULL);
INSERT INTO public.schema_version VALUES (7, 1795677073502, NULL);
INSERT INTO public.schema_version VALUES (8, 1795677073510, NULL);
INSERT INTO public.schema_version VALUES (9, 1795677073511, NULL);
INSERT INTO public.schema_version VALUES (10, 1795677073514, NULL);
INSERT INTO public.schema_version VALUES (11, 1795677073516, NULL);
INSERT INTO public.schema_version VALUES (12, 1795677073522, NULL);
INSERT INTO public.schema_version VALUES (13, 1795677073525, NULL);
INSERT INTO public.schema_version VALUES (14, 1795677073526, NULL);
INSERT INTO public.schema_version VALUES (15, 1795677073529, NULL);
INSERT INTO public.schema_version VALUES (16, 1795677073531, NULL);
INSERT INTO public.schema_version VALUES (17, 1795677073535, NULL);
INSERT INTO public.schema_version VALUES (18, 1795677073539, NULL);
INSERT INTO public.schema_version VALUES (19, 1795677073540, NULL);
INSERT INTO public.schema_version VALUES (20, 1795677073541, NULL);
INSERT INTO public.schema_version VALUES (21, 1795677073542, NULL);
INSERT INTO public.schema_version VALUES (22, 1795677073550, NULL);
INSERT INTO public.schema_version VALUES (23, 1795677073553, NULL);
INSERT INTO public.schema_version VALUES (24, 1795677073556, NULL);
INSERT INTO public.schema_version VALUES (25, 1795677073558, NULL);
INSERT INTO public.schema_version VALUES (26, 1795677073560, NULL);
INSERT INTO public.schema_version VALUES (27, 1795677073562, NULL);
INSERT INTO public.schema_version VALUES (28, 1795677073564, 0);
INSERT INTO public.schema_version VALUES (29, 1795677073566, 0);
INSERT INTO public.schema_version VALUES (30, 1795677073567, 0);
INSERT INTO public.schema_version VALUES (31, 1795677073568, 0);
INSERT INTO public.schema_version VALUES (32, 1795677073570, 0);
INSERT INTO public.schema_version VALUES (33, 1795677073572, 0);
INSERT INTO public.schema_version VALUES (34, 1795677073574, 0);
INSERT INTO public.schema_version VALUES (35, 1795677073575, 0);
INSERT INTO public.schema_version VALUES (36, 1795677073577, 0);
INSERT INTO public.schema_version VALUES (37, 1795677073581, 0);
INSERT INTO public.schema_version VALUES (38, 1795677073584, 0);
INSERT INTO public.schema_version VALUES (39, 1795677073588, 0);
INSERT INTO public.schema_version VALUES (40, 1795677073588, 0);
INSERT INTO public.schema_version VALUES (41, 1795677073592, 0);
INSERT INTO public.schema_version VALUES (42, 1795677073596, 0);
INSERT INTO public.schema_version VALUES (43, 1795677073597, 0);
INSERT INTO public.schema_version VALUES (44, 1795677073598, 0);


--
-- Data for Name: settings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.settings VALUES ('sealed', 'kept:o3jW0i0I7B2BwDJU:-NovUY_VSg4:IrN4VMEjWtbuUcs5Fc1VGA');
INSERT INTO public.settings VALUES ('sealing-since', '1795677073627');
INSERT INTO public.settings VALUES ('write-check', '1795677074610');
INSERT INTO public.settings VALUES ('permits:2706824f-8c9b-4cbb-bcb2-3bea923f5cb7
outer-tests', '6 0');
INSERT INTO public.settings VALUES ('permits', 'stopped');


--
-- Data for Name: snapshot; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.snapshot VALUES ('ba724b69-9be3-4092-ade3-ab483697af19 asked:clientDocument', 'ba724b69-9be3-4092-ade3-ab483697af19', 'asked', 'kept:X_WUENOV0jVgo6Q1:3_HM6Xm4WQFR1Ug:h2zMLMHMNRL0J0NpgMV_mw', 1795677074486);
INSERT INTO public.snapshot VALUES ('ba724b69-9be3-4092-ade3-ab483697af19 asked:jobDocument', 'ba724b69-9be3-4092-ade3-ab483697af19', 'asked', 'kept:bZrYQkhSVlu7pwo8:JfO62QhQgS3sMz0:P_IZOuejjTVcQtEwrq5H_g', 1795677074487);


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

INSERT INTO public.usage_accounts VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 0, NULL, 1, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: usage_programs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: used_names; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.used_names VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 2969, 'nZHJasMwFEX/5a4fleU0VuxdaDbelO6FFor1QgXKUEkJhNJ/L7HpRNzGdKPhcp4Q52qNqlzUa65qLkEA6Vd4hwZd8LzLd8GnDEJnQ0hoJGFjfWCHpiBsfEwZjVT1vFKqUPfzWhGCHQkjvxw55dTPRT4Ez8Nz63O+nKpCEtL+GLvLTWucZiBpDMHZc5+UhVrMhmhntwNlSBvSGg/9X5MYdtGuQJKGgX41dMU82i3fptr0FPfpwF2ewi5j9+xP7KawKw6cr1Fj3uhnAda5yf5VMeK/D7/8S8Ko//J//j/EijGh38r5q5TR2c/KxIQSRJtuyhdt+l26MeYd');


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

INSERT INTO public.write_marks VALUES ('ba724b69-9be3-4092-ade3-ab483697af19', 'client.add', 1);


--
-- Data for Name: write_owners; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: writes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.writes VALUES ('178385fe-2651-432b-a6f1-c0b8e64bf26f', 'ba724b69-9be3-4092-ade3-ab483697af19', 'client.add', 'v3', '2oWEDOZKf68dz7lIStteHyYaETo5C-1YomSWqsJi-sc', NULL, 45, 'vm-15739-a8a1bbf6', 'done', NULL, 'told', '1500000000', 'client:1500000000', 1499999999, 'kept:i9ZsoUhltP3uXswt:vbr7F3-ul-UM0J31rLRZKeZvEEfRsz6u4lHvHEyKxpMu1w3aFq_43vvnuxZyLeAGFaiXEnEq8aH366p8T1DzZgDOMyMwpuS3mrr56V8UqXjZhVHSUclQNI-Jh6GdDw:gE4moyPbWFArSYa8_UycDA', NULL, NULL, 1795677074605, NULL, NULL, NULL, 0, NULL, NULL, '', NULL, NULL, 1500000000);


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

CREATE UNIQUE INDEX writes_repeats ON public.writes USING btree (repeats);


--
-- Name: writes_route_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_route_id ON public.writes USING btree (route, id);


--
-- Name: writes_state_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_state_id ON public.writes USING btree (state, id);


--
-- Name: writes_state_next_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX writes_state_next_at ON public.writes USING btree (state, next_at);


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

\unrestrict KBP0gpJBa7CqYADMmi0PKhDpJJWcjgX3bBRYUYb3jetXg0OkDaweX0361eoiAJP

