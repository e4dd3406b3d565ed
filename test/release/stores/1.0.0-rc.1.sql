--
-- PostgreSQL database dump
--

\restrict BMKo0ynI4ex58NrKxQrGdAv68dsZLTbeuGNG1zaRrLfPG3siq2h7wEV3gYgTsmW

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
    tags text
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
    application_id text DEFAULT 'default'::text NOT NULL
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
    seen_at bigint NOT NULL
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
    expires_at bigint
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
    forgotten_at bigint
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

INSERT INTO public.account_details VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.account_details VALUES ('351bae57-30bb-49da-a6b8-4779d1032700', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: account_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.account_events VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 1, 1795551233170, 'added', 'operator', 'Shared Studio', 1, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 2, 1795551233176, 'invited', 'operator', 'a link was made', 2, NULL, NULL);
INSERT INTO public.account_events VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 3, 1795551233424, 'crosswalk.learned', 'customer', '1 pair learned, 0 known, 0 in conflict; every kind complete', 3, NULL, NULL);
INSERT INTO public.account_events VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 4, 1795551233572, 'consented', 'customer', 'Shared Studio connected by Ana Owner', 4, 'legacy', 'consented');
INSERT INTO public.account_events VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 5, 1795551233588, 'notice.unsent', 'bridge', 'the contact was not told who approved: no mail server is configured (CAUSEWAY_SMTP_URL). Tell the customer yourself', 5, NULL, NULL);
INSERT INTO public.account_events VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 6, 1795551233788, 'migrated', 'bridge', 'all checks passed', 6, 'consented', 'migrated');
INSERT INTO public.account_events VALUES ('351bae57-30bb-49da-a6b8-4779d1032700', 1, 1795551234014, 'added', 'operator', 'Invited Studio', 7, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('351bae57-30bb-49da-a6b8-4779d1032700', 2, 1795551234019, 'invited', 'operator', 'a link was made', 8, NULL, NULL);


--
-- Data for Name: account_groups; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.accounts VALUES ('351bae57-30bb-49da-a6b8-4779d1032700', 'Invited Studio', 'standard', 'added', 1795551234014, 'legacy', 1795551234014, NULL, 'W9zM4sovSUhZIZVB5tn_PFTLcq4LmkOlqCEczPAgt5Q', 'kept:csdrjwqfx7osX7mI:u6k6SoGf9U2BkM4nVxFAwiiNfKquyVjM6UK_hTP5eIA:Ksry1e-MUtuFDlAejb_Pcg', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:-yEW7zXWKHFV60Zc:Pq_YjPfCYNO3m1-jBdTz4CHJJTBfs9TgS2qTpbQPgnk:4mI0LILED4f6CB5bG1j_Ug', NULL, NULL, NULL, NULL, 'default');
INSERT INTO public.accounts VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'Shared Studio', 'standard', 'added', 1795551233170, 'migrated', 1795551233788, 1795551234165, 'yXb2A6rQDeMr_QudyCnhiAGB3xQEJJ65leYmUKqZwqI', 'kept:5EMOG5Xn31QPvp6s:HM0BC9PCHB8Yr1u22dxD4l2eqFrm8k0sZwU8HZ-Y3i8:HM2WTWLTlQDI6q2t5Ysh4Q', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:Eare2suiPTupEi5z:EAoB1n_31j5tNmb19oZbraYsl43o3q3Crr3j9kUXZUw:ClNRM8afXLTkyhrNfVWygQ', '60f43160-65c4-47a5-a87b-d8861a726583', '9c411118-f417-4d90-8239-97375172852a', 'Shared Studio', NULL, 'default');


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: awaiting_consents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: call_hours; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_hours VALUES (1795550400000, 'cc0d0464-19b3-4167-b4f6-88b319ee8457', 'v3', 2, 0);


--
-- Data for Name: call_journal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: call_packs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_packs VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 1795543200000, 1795551234165, 2, 'jY9LT8NADIT/y553kZ14X70jxAGBRG9VDvtwRKS2gWRTCSH+O3ILdy6WZubT2P5SqZR5O7fHqnYHVQpUIEcGY+4NofMm0+hMCLnHyBzIeqX/hw1aLfyx8frbPeIYsB+LSeiLodo5k22qhl2fU+dLJghKq+p9Z2tEQ+CjocJocmY0lnOIlmuFQNKdmtod0EdrLXY9gQWNaAetLrxk2fdwv1davTy/7gU/cXubbz8eJz63u+O0NnnlplKtQq3zthQW6tIrLUPMltq2qt2hA9AdwKDVmKYjSxtokaepLLMQGCPIHURXbHtf28Lp9PSXE0oM9prmz8ZiOkDtoBu+fwA=');


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

INSERT INTO public.crosswalk VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'client', 1000000, '8be150e2-bb50-455b-bf4c-14906114ec61', 'learned');
INSERT INTO public.crosswalk VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'client', 1500000000, '2fbb7a2c-10b9-4084-abbb-cfcd7ab3f680', 'allotted');


--
-- Data for Name: crosswalk_kinds; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'category', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'comment', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'contact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'cost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'customField', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'document', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'group', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'invoiceTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'job', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'jobCost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'jobTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'lead', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'leadCategory', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'note', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'relationship', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'staff', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'supplier', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'supplierContact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'task', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'template', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'time', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'client', 1, 1500000000);


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

INSERT INTO public.deployment VALUES ('this', '213ac4b0-2866-43b9-a09c-9f4dd4cf63ea', 1795551232981, 'server 7711833779882018687 00000001 5 16582 1795551223311168 127.0.0.1:42121/postgres', 1795551232981, NULL, NULL, NULL, NULL);


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

INSERT INTO public.grants VALUES ('60f43160-65c4-47a5-a87b-d8861a726583', '71e17f74-3e87-4f36-9529-e520f366d839', 'Ana Owner', 'owner@shared.example', 'openid profile email service offline_access', 1795551233526, 1795551233619, 'held', 2, 'kept:4D9KnItddUV10ds1:H63TDmkWG9wd6NquMObcBWbORDnOZlrTzOnl5BwReSZoq-yFO-yEuqu7LHh4LDRtx_xqhgqTILgy81PAI7tNEmlehT31-y0gL9-WMA3bL4vvzK2ZxD9Il8sWqzU6ZrRzNTfLySkR0nAtgJLbnd2pLpzm24abOxU4PECHA0sGtSM0EGb6fwmPNj9GQceaSaUfeGA0TY548C4itCs98lu-LROcpH_J8k1Q-3jzrQytyKLX8aUWWEfY5595UmcqvLUHMBybibm9Xpnwj76WY_Kzi6z6oEBbE2We7KxPbhpTNRa3nsMZsQpFHTvysit86M57O7jeeb9UdKzlCQN9osHAgScX3IhTDOYymk_Sm19dLKXVArv7Q1A8Fg8F9KpQcf4eo2ctIKu6iQbuLWciWfCIHdKpbywfw3eua6TGgX18EoB77oaGaLN7N0W5SYVRbwmFgaK_66ju5UYgOAemCjTPfUcUD-e5r2skkTfreqqT-QIAALawDoNkJWojnQ5TLGxTXZ5RaIjlwH9ZYNE8UjGrlOpyl1Y3pCgiRL3iCzeyf3NkGP8HaqC3LjYnlXjcXYKsYagU70-LqDKkZorijkamh75XqddJfwgwFtyK_EBcLG5CrY5UECgH15cYWRz28OYzE5CroRZPlCb1-EXm1QunfCLHwN1zA6A-uoqv73e83aYLyQxVoLuL1IgPaQjzFUrldv0DpLzw_hCcEGHCKpOnDvCeuop3bwFbpMuHJAfp7_-vbFywiR54HL_tT66ueJMBv4EpLW6Trm3ilvhpqiIL9cx0yvsaTo6YDqae7in4ZJ949O2oIP5yOGr5YGIwh9el4u4F2n6caTvnlyGWSylZ1dz-aPYpBRiVz8hu4CAJw2gd5Nzp0JeUMTLxVmH6Gp_5LI0JNBTMjSajDquu-wNFEi87jeLabpn-uyttTvylLVCQqRVer_w5LCAVoH3QV_gqoac8ncTvoj7ERhPrmoNnkT2jSLjBo_RCJAWBezErbfNartmE0o_BdsYMD41IlXqkG6iEjq24hBnNFw8NC4wr9Tol7_gCjxTdGoDBF_vmV-58Tzmy3QAhREzDZEDD-eOCJ2ZQtYzDg3CT8mLxuB5cLWnjvlCBCp13s9n6zloj-EwZpX31DlOUhi6iX9rtHTzlCl4ZTb_AbrakOX3Bu58S_07Zh_twKcR5UIGrm1jkkWX-TRh65UlLQG3Tm5Li3VvgHdKai4mro7PjK1CR6X75vn68yfbOz49L_Lx5uTEbhHV0GrGy1nUIS9cwXapG3oavWSyS0VRySaNa6FjJO9ha35T6i9Vlg8Yvqaq6KEYysk4uLwojHw89g9rQUqjlPy5a_NklpLF9zoHpA-qyRWOx_Bwq1GD9899TJoOb6ccPKTErIHFezwoTKtZUmUDLrnLhRaxOBigPGO8gbVQeY1bSQ8HSi5syuCYgL9cwM5RZqwr9wrVw7PpkG6u1cXP9n4HhYmcCtjhIb7HXaCvlnQ-smkPWBsPQ4K8vgDvnpqi33J5n_VLOzr41G8ERVY9mEg7VG97jUEdNYRbKWmM3g4g1sWb4X05MgDt4QK8a25sjeNU-a19T9-LWlTQo2eRs7d6ejQoOQG9myAKCQIcw_1eVw9k6cAqUR11PohAgzdZdsjYGktI1lnhk-lpg3SxpPabPtQ:csZSpdrg5ZIRs-jFcAaUxA', 1795553033000, 'kept:vv-46Dh4IlSeq3f0:8wk6lIZEJf1p5riJtw7C95eBhPWikETP7dMEIpW_mv0Izt6pbI_eqSviNw:wl2140AEGccj5yiv2y9zTg', NULL, 0, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'default');


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.invitations VALUES ('7f94df1b-dd18-4ee8-a8da-44d6c9b4f990', 'cc0d0464-19b3-4167-b4f6-88b319ee8457', 'nybn9W1ANyOOSvXJdeofHs3MVqXGusDcTMnYqIhhihM', 'accepted', 1795551233572, 1795551233176, 1798143233176);
INSERT INTO public.invitations VALUES ('130fd67c-bd34-4923-8ff5-8b2086057c82', '351bae57-30bb-49da-a6b8-4779d1032700', 'k20ibvGORxPg7XCKCDJgIxS-wG2UdpWQjGfiN2jhjJs', 'issued', 1795551234019, 1795551234019, 1798143234019);


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

INSERT INTO public.parity_latest VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'cc0d0464-19b3-4167-b4f6-88b319ee8457', 1795551233782, '{"at":1795551233782,"reads":0,"compared":0,"alike":0,"isUnfinished":false,"uncompared":{"reads":0,"why":""},"groups":[]}', '[{"at":1795551233782,"reads":0,"compared":0,"alike":0}]', NULL, NULL);


--
-- Data for Name: parity_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.parity_runs VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 1795551233782, '{"at":1795551233782,"reads":0,"alike":0,"different":0,"undecided":0,"live":0,"baseline":0,"changed":0,"noise":0,"uncompared":[],"isUnfinished":false,"groups":[]}');


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

INSERT INTO public.schema_version VALUES (1, 1795551232709, NULL);
INSERT INTO public.schema_version VALUES (2, 1795551232724, NULL);
INSERT INTO public.schema_version VALUES (3, 1795551232750, NULL);
INSERT INTO public.schema_version VALUES (4, 1795551232753, NULL);
INSERT INTO public.schema_version VALUES (5, 1795551232758, NULL);
INSERT INTO public.schema_version VALUES (6, 1795551232764, NULL);
INSERT INTO public.schema_version VALUES (7, 1795551232767, NULL);
INSERT INTO public.schema_version VALUES (8, 1795551232776, NULL);
INSERT INTO public.schema_version VALUES (9, 1795551232778, NULL);
INSERT INTO public.schema_version VALUES (10, 1795551232782, NULL);
INSERT INTO public.schema_version VALUES (11, 1795551232784, NULL);
INSERT INTO public.schema_version VALUES (12, 1795551232800, NULL);
INSERT INTO public.schema_version VALUES (13, 1795551232804, NULL);
INSERT INTO public.schema_version VALUES (14, 1795551232806, NULL);
INSERT INTO public.schema_version VALUES (15, 1795551232809, NULL);
INSERT INTO public.schema_version VALUES (16, 1795551232811, NULL);
INSERT INTO public.schema_version VALUES (17, 1795551232816, NULL);
INSERT INTO public.schema_version VALUES (18, 1795551232821, NULL);
INSERT INTO public.schema_version VALUES (19, 1795551232821, NULL);
INSERT INTO public.schema_version VALUES (20, 1795551232822, NULL);
INSERT INTO public.schema_version VALUES (21, 1795551232824, NULL);
INSERT INTO public.schema_version VALUES (22, 1795551232836, NULL);
INSERT INTO public.schema_version VALUES (23, 1795551232842, NULL);
INSERT INTO public.schema_version VALUES (24, 1795551232847, NULL);
INSERT INTO public.schema_version VALUES (25, 1795551232850, NULL);
INSERT INTO public.schema_version VALUES (26, 1795551232856, NULL);
INSERT INTO public.schema_version VALUES (27, 1795551232861, NULL);
INSERT INTO public.schema_version VALUES (28, 1795551232863, 0);
INSERT INTO public.schema_version VALUES (29, 1795551232866, 0);


--
-- Data for Name: settings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.settings VALUES ('sealed', 'kept:gxvOgtWMupp7FyeG:vi0GB5_vI9U:eVGU9Zj5CFhKE-FWxhGSQw');
INSERT INTO public.settings VALUES ('sealing-since', '1795551232884');
INSERT INTO public.settings VALUES ('write-check', '1795551234068');
INSERT INTO public.settings VALUES ('permits:9c411118-f417-4d90-8239-97375172852a
outer-tests', '6 0');
INSERT INTO public.settings VALUES ('permits', 'stopped');


--
-- Data for Name: snapshot; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.snapshot VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457 asked:clientDocument', 'cc0d0464-19b3-4167-b4f6-88b319ee8457', 'asked', 'kept:R_SzeQ-B31cH2BYj:DUClTPXmkJkzbqk:4sZiW1zcOFZi8cWvvwtn4A', 1795551233899);
INSERT INTO public.snapshot VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457 asked:jobDocument', 'cc0d0464-19b3-4167-b4f6-88b319ee8457', 'asked', 'kept:mnocsUcDSNDGnptJ:CxtMPOYekO5bcYs:ywB6XhOlZyeLzC-5u5Ztmw', 1795551233900);


--
-- Data for Name: stage_days; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.stage_days VALUES (20781, 0, 0, 0, 0, 0, 0);


--
-- Data for Name: status_links; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: suppressions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: token_revocations; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: usage_accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.usage_accounts VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 0, NULL, 1, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: usage_programs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: used_names; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.used_names VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 2968, 'nZFfa8MgFMW/y3m+rJouaZO3sb70pfRdfLDxlgn2z9QWyth3H4mMbaTLwkD0ejxX9HeUQlUs6x1XNRcggNQbnEWD1js+pgfvYgKhNd5HNJKwN86zRSMIexdiQiMXdVmWspg/ilIQvLkjBn69cEyx7wt89o7zdbtb6qpKSEI8XULb7ZTCdQ6SWhOsufVKIRZLmaWjOWSXpm4oPPdvjbO8ztYrkKTc0M+aBp6NOfDfrnXchlM8c5umeJ9C++KubKd4V+w5Da1av9PPAIy1k/nLqhzy78Uv/vIX/sX/+H9+7S7Q7+cjoYyHMSWEKfBHoWutPwA=');


--
-- Data for Name: watches; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: write_marks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.write_marks VALUES ('cc0d0464-19b3-4167-b4f6-88b319ee8457', 'client.add', 1);


--
-- Data for Name: write_owners; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: writes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.writes VALUES ('d7725d91-4079-4ce1-bbe1-5eb895edd084', 'cc0d0464-19b3-4167-b4f6-88b319ee8457', 'client.add', 'v3', 'aad-7q3HFwau7XFrf7KRyVuOQ7Kn2SQO96ktfUxOkQ8', NULL, 45, 'vm-6134-8cc87a51', 'done', NULL, 'told', '1500000000', 'client:1500000000', 1499999999, 'kept:VoJll0OUBMQsyYhr:_Rh_PJoA6Crd4wainRfzHktDl1nR8VxrP6-GnfUH6Y1ETTvEXy4BeWnaUAtigJ4nWSBvnO9wySK1hUATGWqjTdyjHJAHNgyKxfdl-zSYk3o9gqYDP6AaRvnhivLSkw:mCX_cHX15BlWIWOJo7demQ', NULL, NULL, 1795551234054, NULL, NULL, NULL, 0, NULL, NULL, '', NULL, NULL, 1500000000);


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

\unrestrict BMKo0ynI4ex58NrKxQrGdAv68dsZLTbeuGNG1zaRrLfPG3siq2h7wEV3gYgTsmW

