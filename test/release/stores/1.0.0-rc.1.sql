--
-- PostgreSQL database dump
--

\restrict 2VS2PGKo43gT6nJBuy0BCXWeg3gEheHOgnrNYj6u22Bbi5cXJLakkzrFDuJtc9b

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
    notes text
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

INSERT INTO public.account_details VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.account_details VALUES ('4d46f819-f153-435a-a741-e9ba6fddd01a', NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: account_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.account_events VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 1, 1795535692884, 'added', 'operator', 'Shared Studio', 1, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 2, 1795535692896, 'invited', 'operator', 'a link was made', 2, NULL, NULL);
INSERT INTO public.account_events VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 3, 1795535694286, 'crosswalk.learned', 'customer', '1 pair learned, 0 known, 0 in conflict; every kind complete', 3, NULL, NULL);
INSERT INTO public.account_events VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 4, 1795535695573, 'consented', 'customer', 'Shared Studio connected by Ana Owner', 4, 'legacy', 'consented');
INSERT INTO public.account_events VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 5, 1795535695657, 'notice.unsent', 'bridge', 'the contact was not told who approved: no mail server is configured (CAUSEWAY_SMTP_URL). Tell the customer yourself', 5, NULL, NULL);
INSERT INTO public.account_events VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 6, 1795535696698, 'migrated', 'bridge', 'all checks passed', 6, 'consented', 'migrated');
INSERT INTO public.account_events VALUES ('4d46f819-f153-435a-a741-e9ba6fddd01a', 1, 1795535697863, 'added', 'operator', 'Invited Studio', 7, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('4d46f819-f153-435a-a741-e9ba6fddd01a', 2, 1795535697929, 'invited', 'operator', 'a link was made', 8, NULL, NULL);


--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.accounts VALUES ('4d46f819-f153-435a-a741-e9ba6fddd01a', 'Invited Studio', 'standard', 'added', 1795535697863, 'legacy', 1795535697863, NULL, 'W9zM4sovSUhZIZVB5tn_PFTLcq4LmkOlqCEczPAgt5Q', 'kept:rojTbriuFzIM8wDV:LKq6Oe28hhIWK7yDtsmrQwL78a6JJmeVk_JvWi5enG4:oV_bznWSsI3Em-kYaLCMCw', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:OGKinBV1TddOdHMC:NqsIFBuKo8gFjWDTStHKGIaD-V1lKxab-h29XLsnE1U:I2DWxMYR2bcfzgmT7WFrMA', NULL, NULL, NULL, NULL, 'default');
INSERT INTO public.accounts VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'Shared Studio', 'standard', 'added', 1795535692884, 'migrated', 1795535696698, 1795535698587, 'yXb2A6rQDeMr_QudyCnhiAGB3xQEJJ65leYmUKqZwqI', 'kept:tawm8NH0ceo-QhVn:SXj68Q0s569TwMCpl7X2X_k5QQCpsAK_Q--AgV3xLUw:d895cil3OXW8N5fHDLIdZg', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:Ai-3R_KCyTTwBwh8:cb7PmOHOo1BGCAVAjR08R8jv28X1CeiqPK52uh1_rE8:w7BREav8Mbhunszpa4udgQ', '09c85b2d-4be9-4dcd-afd9-ebff5f15e38e', 'f4551782-7997-43a0-9523-1aa7f9a137cd', 'Shared Studio', NULL, 'default');


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: awaiting_consents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: call_hours; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_hours VALUES (1795532400000, '69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'v3', 2, 0);


--
-- Data for Name: call_journal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: call_packs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_packs VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 1795521600000, 1795535698587, 2, 'jY7NasMwEITfZc+rspL1m3spPZQWmlvwYb1SiMGJW1sOlNJ3LwrNvZeFmfmYnW9gkXm71OcMuwP41CUr4hT7EJUt3ilOLih3tCabwWaRAPg/rEdYyudW1r9ux0PULrPSTFFZx0mxUFY6WZP00RoZMiAMurgud6JCiaJsClrFqEUV3xlvOBTrU+vmCruDDsm5zvkUKXh0WvcI17IM7d/T4x4Q3l7f9w0/l3qabztkGsulPkzjWgHvinNu1Dpvi5RGXTvAdppZuW4r7A6GCA1Rj3DkcSqtjbDJ8yjL3IgYIxE6SvaGbR9rXQqfX+65IU2ElvwtHr5qaa4njZ5M//ML');


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

INSERT INTO public.crosswalk VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'client', 1000000, '4b2f9698-a357-47b0-ac9b-630c2c25bd3a', 'learned');
INSERT INTO public.crosswalk VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'client', 1500000000, '19aafa99-1faa-4cf5-aa63-3b6058bd4588', 'allotted');


--
-- Data for Name: crosswalk_kinds; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'category', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'comment', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'contact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'cost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'customField', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'document', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'group', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'invoiceTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'job', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'jobCost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'jobTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'lead', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'leadCategory', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'note', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'relationship', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'staff', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'supplier', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'supplierContact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'task', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'template', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'time', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'client', 1, 1500000000);


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

INSERT INTO public.deployment VALUES ('this', '1250f8fd-13f6-46f3-8c06-4ee2346fcd79', 1795535692637, 'server 7711766729650679272 00000001 5 16582 1795535620376213 127.0.0.1:39367/postgres', 1795535692637, NULL, NULL, NULL, NULL);


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

INSERT INTO public.grants VALUES ('09c85b2d-4be9-4dcd-afd9-ebff5f15e38e', '0097469d-73f1-4a75-9723-72c69fca6af3', 'Ana Owner', 'owner@shared.example', 'openid profile email service offline_access', 1795535695030, 1795535695885, 'held', 2, 'kept:tQ_QENmfl4WE-46t:ujdvL9DvNGyhiV81lRReOP_Qxdc66jArwrau6VkuPC6kxOesduhK3AE74fcJLm1ZWDQupYFJDefljBb706d1RUoaRNn7wjGvsCgSF_9HxRhnautO7tpbEoy_hNjn_HE1jahnq0g8ejr5kanSh-CShUf1uCN96kbGm-Q4cDH1H9gIcf7jlNkR8ok9pBmWn3DDToz-E2WO2pQryccaDgUU33i605vOzkB47JH369F2RBa1_iDd4oz9UVDYv6O7tkwmFG1_hGuYFihv_BVFCABa5mc5N3-fQu0DbyvlrPdMwDJjbJ2JaxaprntmDxmz1356bVCAYeWwY9hkXBqHitDnpDLpQllilJrpLbO2TDrH2TTUfR3IVRI2SwsKK5jKSFlJjWjJ0fnsxAKsE4AgCNWGLgwDWAC6d1f00eMjyuI5MMU-bN_Enu5J6qZA1iqWORj3_xxlrEnC1WpBT6dVFwIlNzDoTPYK3dJrXPCYtARuiEIJTw7rMtbissMyDbUdW8wmdqZzKJmj6bU_KTrgl8CgtEjwGfDHjwW6Ez9SuJabA4tWFI2H1Sahp6o9XMeLHkkq-XJDQDfjYLy8KtdgHz_RcoXDIkujU9fsHOy7r0-IJLaYdtZnsRWIX5wk_6o4cETyP147l0fN1nA3B368kwV7nwuSJiI4Mu7iL-28d809YN0enSGYZltBqsNotI2OS4u8Hms-XyPC2HLdMnQwznnm58b8AoRkE4JYbYMaXchDWP3uCN75qXeW9O_jjtkFUgUy3OldxCOYCX0OUXi3SrVXywWEmoVg1QR5Y7B-fq9v-mEgNxGeJ6kOvNAcpWyjFr-bqeTv0gNYazV5-7f4uTL1gRBKMNJFB6IBGd4DVrpM_qMKTcv6-fR02Lun8ewWjg0Q2BW9w1PzGmsjLUi0rFRcdeHX8R7YR19-RhFK9nTTdk_YAOouzBEOEjUUo1zw_hM39d2UGFb4F6ZuAmBkmvOuHC5Urni8ZnexfKdgGaoV-y4QCEIW0wL3q5UUq27GidEpVhviGK_YN1lj6jt6zNiPEq7-hVFXcrUs9_aB1VauIjOXMThenIOt0AGf7mvVR7lutYlDgIjuuMa7EsrU9bbVy0I41fDPWmadUcM0MFlBbxN8_2r0v6FCheBqcY7xdeG6RP7b0TD6wy9xIyuCRL_lUMyZDiUvL6-SOycfgQGx_Caz8sgS5ynYznbXOuP5-L52Jp7qQnDcyPNrcdUki6FAFfAigPgHuPhIigWbfgBGWH-4Xkrx8JTn9BAkAsGOE51D1LSvQ2XuJzSLYjvMdMLUkz79Cz2wlO4RtKw4hIqUJGkrDMmFhU2ZwF6GVSBJMvuRYrRQHVB1rfqqYYJoYm8GRgTdfKcgJJKZ1-uMOjhfWl4xeaeXzQDVc4gba-ebNov1Lgf7HQoWcXqrwt78-WXcKdEbx-9UcRVBi34NcOBAwpYcYoTkSCNVu7FMG9D3FiAhsPUkoF9px4yaFhzESHCKYFWPSoqA5Kx9fxPz_TsmDsHKiBDnuLsLK1hVvwvJMeFDu0c-_7NIBwLeCFCwrUSwIhsb5J0H3MPLYyOjIuuBcZ5orOn5KRqczd1eBfo1O7nBhlIFQZYsP5YGLvv5M84BSl7ETOX9J8_DrBKIcsCVlpoL7dZrbKcAUpQWFRYyipTcIg:vf6LTdYFd3LL-wk8bH2XkA', 1795537495000, 'kept:X1AVarYYjjDB8uja:8CB0IVA9B5hwb3313KSYbBXjgrk7rCISrOP7uqZEnKaz8NaQsHH8ohCvpQ:bifRf0hZ3NSfRvLt9BQftQ', NULL, 0, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'default');


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.invitations VALUES ('ae81009e-a1c7-41f8-bc1f-028e97149157', '69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'dr-hX4z1zxcpnyZ7SKr74whsQGNE0nYemiOWp1LuBVQ', 'accepted', 1795535695573, 1795535692896, 1798127692896);
INSERT INTO public.invitations VALUES ('3bc0b7fb-4a36-40c8-b5e3-8b94d697be7e', '4d46f819-f153-435a-a741-e9ba6fddd01a', 'znxNzJj6hixoTMyoX9LusrevABeF_qtmDB9MKF4W-Y0', 'issued', 1795535697929, 1795535697929, 1798127697929);


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
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.schema_version VALUES (1, 1795535691316, NULL);
INSERT INTO public.schema_version VALUES (2, 1795535691430, NULL);
INSERT INTO public.schema_version VALUES (3, 1795535691592, NULL);
INSERT INTO public.schema_version VALUES (4, 1795535691606, NULL);
INSERT INTO public.schema_version VALUES (5, 1795535691629, NULL);
INSERT INTO public.schema_version VALUES (6, 1795535691663, NULL);
INSERT INTO public.schema_version VALUES (7, 1795535691676, NULL);
INSERT INTO public.schema_version VALUES (8, 1795535691737, NULL);
INSERT INTO public.schema_version VALUES (9, 1795535691749, NULL);
INSERT INTO public.schema_version VALUES (10, 1795535691771, NULL);
INSERT INTO public.schema_version VALUES (11, 1795535691776, NULL);
INSERT INTO public.schema_version VALUES (12, 1795535691837, NULL);
INSERT INTO public.schema_version VALUES (13, 1795535691855, NULL);
INSERT INTO public.schema_version VALUES (14, 1795535691877, NULL);
INSERT INTO public.schema_version VALUES (15, 1795535691901, NULL);
INSERT INTO public.schema_version VALUES (16, 1795535691920, NULL);
INSERT INTO public.schema_version VALUES (17, 1795535691946, NULL);
INSERT INTO public.schema_version VALUES (18, 1795535691989, NULL);
INSERT INTO public.schema_version VALUES (19, 1795535691997, NULL);
INSERT INTO public.schema_version VALUES (20, 1795535692011, NULL);
INSERT INTO public.schema_version VALUES (21, 1795535692022, NULL);
INSERT INTO public.schema_version VALUES (22, 1795535692091, NULL);


--
-- Data for Name: settings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.settings VALUES ('sealed', 'kept:7wdC5ZsocnJ3yeHD:Ji1aDHjX7bI:KnjR4BOo9DKHYR6Hfr2xdg');
INSERT INTO public.settings VALUES ('sealing-since', '1795535692168');
INSERT INTO public.settings VALUES ('write-check', '1795535698116');
INSERT INTO public.settings VALUES ('permits:f4551782-7997-43a0-9523-1aa7f9a137cd
outer-tests', '6 0');
INSERT INTO public.settings VALUES ('permits', 'stopped');


--
-- Data for Name: snapshot; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.snapshot VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7 asked:clientDocument', '69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'asked', 'kept:O5gcca5ixDxjpuYH:q2AT9OXRoRxcbKw:kKrexcs11RrDXgqx2L2d1g', 1795535696925);
INSERT INTO public.snapshot VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7 asked:jobDocument', '69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'asked', 'kept:_QIlM3XMjLKKSQYI:CBA8CbsNxEESTqY:cp-VFOiENNckiAYBoFiKwA', 1795535696932);


--
-- Data for Name: stage_days; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.stage_days VALUES (20781, 0, 0, 0, 0, 0, 0);


--
-- Data for Name: suppressions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: token_revocations; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: usage_accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.usage_accounts VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 0, NULL, 1, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: usage_programs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: used_names; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.used_names VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 2968, 'nZFLawMhFIX/y1lfmnHCPHcl2WRTshcXZryhgnlUTSCE/vcyI6Utk06Hguj1eK7od6REmdfNjsuGcxBA8g5r0KJzlo/xydkQQei0cwGtIOy1dWzQZoS99SGiFVVTFMuibOqsKglOPxA9v104xDD0eT47y+m63S32VZkJQjhdfNfvpMR1CRJKEYy+DUqeVbVI0lEfkktRPyRWw1vDIq2LzRokKDUMs6KR50Uf+G/XJmz9KZy5i3O8z757tVc2c7xrdhzHVqXe6WcA2pjZ/Iu6GvMfxC/+4hf++f/4f37tIdDv5xOhTIcxJ4Q58CehK6U+AA==');


--
-- Data for Name: write_marks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.write_marks VALUES ('69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'client.add', 1);


--
-- Data for Name: write_owners; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: writes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.writes VALUES ('b1e53d3c-7e8c-4971-881c-e63262a7e469', '69394cc5-a678-4e65-a957-5f42d2b4dcc7', 'client.add', 'v3', 'EboFYpa9VCKI4R29fjvnSJfJh3ZtNy03MA5nInJ_urQ', NULL, 45, 'vm-28482-d7c97617', 'done', NULL, 'told', '1500000000', 'client:1500000000', 1499999999, 'kept:FM4ORJs_s5KSiCVC:yzFIQ7cTKgo-m7pGimnH60L7TDxyU0IVklViRA44r5CgohKJ70SXUAOxLRo6Xvn_UHXtUe15OkK1HG7DTE-b2uxsDkBhN2lTsULd3UKqfqVLtwLqfvEQWmlvyyFpng:6GhwLVXbtawfgQLuOExelQ', NULL, NULL, 1795535698082, NULL, NULL, NULL, 0, NULL, NULL, '', NULL, NULL, 1500000000);


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
-- Name: snapshot_account_id_kind; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX snapshot_account_id_kind ON public.snapshot USING btree (account_id, kind);


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

\unrestrict 2VS2PGKo43gT6nJBuy0BCXWeg3gEheHOgnrNYj6u22Bbi5cXJLakkzrFDuJtc9b

