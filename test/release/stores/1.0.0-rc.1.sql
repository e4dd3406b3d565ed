--
-- PostgreSQL database dump
--

\restrict fHmfn6m9azYHXJ942btTJBWN9hlZaE0Hfy7tZUo65u2L7EdZ3UEjGc61daWm3aa

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

INSERT INTO public.account_details VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.account_details VALUES ('9be74315-fe6d-41d8-b9e3-8fa4ea385036', NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: account_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.account_events VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 1, 1795532352402, 'added', 'operator', 'Shared Studio', 1, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 2, 1795532352420, 'invited', 'operator', 'a link was made', 2, NULL, NULL);
INSERT INTO public.account_events VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 3, 1795532354501, 'crosswalk.learned', 'customer', '1 pair learned, 0 known, 0 in conflict; every kind complete', 3, NULL, NULL);
INSERT INTO public.account_events VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 4, 1795532356779, 'consented', 'customer', 'Shared Studio connected by Ana Owner', 4, 'legacy', 'consented');
INSERT INTO public.account_events VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 5, 1795532356916, 'notice.unsent', 'bridge', 'the contact was not told who approved: no mail server is configured (CAUSEWAY_SMTP_URL). Tell the customer yourself', 5, NULL, NULL);
INSERT INTO public.account_events VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 6, 1795532360081, 'migrated', 'bridge', 'all checks passed', 6, 'consented', 'migrated');
INSERT INTO public.account_events VALUES ('9be74315-fe6d-41d8-b9e3-8fa4ea385036', 1, 1795532362402, 'added', 'operator', 'Invited Studio', 7, NULL, 'legacy');
INSERT INTO public.account_events VALUES ('9be74315-fe6d-41d8-b9e3-8fa4ea385036', 2, 1795532362645, 'invited', 'operator', 'a link was made', 8, NULL, NULL);


--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.accounts VALUES ('9be74315-fe6d-41d8-b9e3-8fa4ea385036', 'Invited Studio', 'standard', 'added', 1795532362402, 'legacy', 1795532362402, NULL, 'W9zM4sovSUhZIZVB5tn_PFTLcq4LmkOlqCEczPAgt5Q', 'kept:lAa8RMFWaGcSl3T4:jySdfzxl4-kLdJX1x4N54Yq3_TCp-tTG2i3e7rrT8T4:bdphOIjTknqjlcNK3kKGag', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:ut9c47I4nXpDA0pv:5tkA--rpnxRW9xstnIf7E2Ix5I7SsTfmvoUD1Bc2tdM:bLDWSL0OVD9mM1NfoaxU4Q', NULL, NULL, NULL, NULL, 'default');
INSERT INTO public.accounts VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'Shared Studio', 'standard', 'added', 1795532352402, 'migrated', 1795532360081, 1795532365428, 'yXb2A6rQDeMr_QudyCnhiAGB3xQEJJ65leYmUKqZwqI', 'kept:N6hJJlmzIQ9Y5kRB:qphrMyT-c366iDUuL-wvoMtiqnETyoAzKD0gk5Z4wqg:L3Qnyq237be2M563yyeIIA', '6sudRj9c0ylBzuwkG_d2HCyXD4Cqg1haUBpaAKgTlHw', 'kept:ZHmQZqWn8YlJFVuW:9wh1I5cc7qJL5dfhfDza2jEYe6sQY7uGXd4Cu0DFUDw:R0UouY7mTe85SgNyxArTzw', '0871d4b8-bd62-4e90-a58f-f5e381307f4b', 'b6ad59ab-96fc-408b-a8b2-806e0a5e1ff0', 'Shared Studio', NULL, 'default');


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: awaiting_consents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: call_hours; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_hours VALUES (1795528800000, '0adb437a-d07e-4585-ac0e-03a323ede5fd', 'v3', 2, 0);


--
-- Data for Name: call_journal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: call_packs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.call_packs VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 1795521600000, 1795532365428, 2, 'jc6xasQwDAbgd9FsF8WS7eT2UjqUFnrbkUGxFRq4u7SJc0vpuxeH3t5F8IuPX/oGSWneruU5w+EEKHlgimIzRrXsW28loVokIUea1Y8ZzP9Yb2DRr03Xv+6hCV3K0dsRG7YsydlhHJ11MbaamD2hgAHJQ8MswbrA3nJibzsck2147HyjMUg31G4pcDg1sfOeHAXCNhhH7HoDN12GevDp8QgG3l7fj9VftHzM+yPpPOm1PJyntYC5J8n7x+u8LUmruhGYOuqySNlWOJwconGIvYFRprPWNjQ1Xqa0zLvwfkdEod3h9rmWReXyche+ZURDHUXE/ucX');


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

INSERT INTO public.crosswalk VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'client', 1000000, '5fa53e27-d1d3-44f9-a9f8-41bf157b1834', 'learned');
INSERT INTO public.crosswalk VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'client', 1500000000, 'd03e5f8c-359d-4b25-9d6b-052e621f075d', 'allotted');


--
-- Data for Name: crosswalk_kinds; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'category', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'comment', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'contact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'cost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'customField', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'document', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'group', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'invoiceTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'job', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'jobCost', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'jobTask', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'lead', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'leadCategory', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'note', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'relationship', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'staff', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'supplier', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'supplierContact', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'task', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'template', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'time', 1, 0);
INSERT INTO public.crosswalk_kinds VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 'client', 1, 1500000000);


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

INSERT INTO public.deployment VALUES ('this', 'eff90f03-a8aa-49aa-bcc4-14b2771e0696', 1795532352165, 'server 7711752392731512795 00000001 5 16582 1795532278327524 127.0.0.1:37745/postgres', 1795532352165, NULL, NULL, NULL, NULL);


--
-- Data for Name: deployment_instances; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: grant_spares; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: grants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.grants VALUES ('0871d4b8-bd62-4e90-a58f-f5e381307f4b', 'cbd0fa90-7277-4264-a817-800543ad5349', 'Ana Owner', 'owner@shared.example', 'openid profile email service offline_access', 1795532355402, 1795532357442, 'held', 2, 'kept:F8SzWMco2k0aB35G:cwzB7le-O-xQla_rTHPhWPUnHsUj8YWJKGQHq-zXmpPL7mhRXpkuKUQ5Ph67CYHaeABd8_N_6yesz3CtQyNdc50t3vpaEbhnQwyLuTgwxYkq0skFe3DMDhwGxPLQLdifHyOlBzwhKXMcoR01dkyvYP2eLzai-9z0VoGSuV6VXZTXtsyzlU47hipUljMm55rowiPWgKiNUwOBNK57DGJk7erxyGYs_3ilM4TXBCs21sip8wCmonS1WIHxdBVn5t_skafR5FZnqFs4AvUzglQDElBqyRsvmY4uQr51POQyRtU3FbAnUR8IFWDpE2M5g3DqAtOPl-lIJ6IVki4u-7U37uXU_rraC31hGT95IuLZa-JSpnR99sIrJwp-Rhx48J8ttBWxNTmd1DvJ7BFCgS0PUH6kjusFJBYJw7vgO4eUFqmb05U_uqUqLj6NpD5fCHIyjGic-WL8yU3yqoabTKxKYHTWtLBxpTHH1js4beEnQ_VE71lU9V9zyhyuapwPSEpgg3YPMXUz9aYJA3EUB5jwgoINI4RD5Q6G7oANNA7SULV_xfPOFw8bST3sMI3Fay_Wk5r2zKjgeMxDXhphJBLRbcjy_h6AIBsCZ-Wky3ZthgfFecIImIdJX9Tjz4IKLvuTPGwbYH9L7UYxhToMrY0_zJT6dF6W8rJ6Rw3fDCgiOSmBcKvVE7iaPBhw3hCPNbjLcZ5gX9RxM8aNGg3BFvhsrSWy3HGAcytjdxinXsJjVgFy6re16fiiI4pbpIDeZznjJC59dlGtqdjl46G4pXikmthwOZp5LVY20ThEr5vNLdd6Tf0t30yWB0q5s63S41d-bG5PStSxn3V_XFSiuUyGBoosTBKi90_4JSNOqBTu3gdlai6PC-OQKaTHtqq-wVycz0LoeCMdTnbVsEOrr8_mqssmq9vrttMRIk4N7kuBXSuCh0JOX6VZfV_YyvlDZbDux5ksj1C7aqI-qRlMMKj5zPbBZwuX_dHYOYXP1bpmnfPuWF-EqabL1apIb2GIyNuJwpGEe09dY8_L7S_VcCQ2LV5Yz0KoD_ZD3Y0A-8-taKxmII7BNo2Ub4Oun6OH7vsrdQr1Nrwe_ADT2FqJ5v_iCaCr9xronj85_l06MtFjg-x6lNPiFqOP0hI5cGHVzqWBIDRL_6bFCbr7gk1Qbn8sxwGY0-erV3nIs9lo55ok8AyvofnOMh4z9hADlO_FAEPcDEGXwWakkpbOVTV_eII0bvbHQgRVdEaygdPvNsqizqDixeCYOOeKp8OZodK7Equgjce_rZTCy2xbvT2EwcT1g0rB-bERTWTroY1ndBLtEOuGF2ECgRnFL9f8O1mCLxXddwbOBEAZPEq4PDYDmQTCge1hQi27zKPtcadloO0YUNjzqIS14L3hSbkTOAILaPn_rniZY2Dvp0HKusbhz2UB07Jgy6gIz8c0YoKBD3XJLxbGyOOvcWNFkE7RSLFZB4z0BJDtA7NEICal7FoKxqNvea9YcNMAzUARqoRGaN5pPZjlLCEEBJpuvBYYLin5bWyvc84HHOPMjoI7ljZR6pPDnF6CBguECjkG4JsduN0_RMBTMrkaliT6-Yw15hSZrIBXJUv0b9uaBkwjAudkZrW1X2Klmhi4NROaJqH4_XXn6gyYtS8a_ewrj0bq0TaXfjiG-w:ior64JQKCxea7jUbo0UxAA', 1795534157000, 'kept:4dv_CHDHppkyc7rt:-zvbw2ZIi5-O6GUBvDiYRtRZMmBokNADbOXqHgt1cTcvJBFN7NYkpsGNsw:_CLYazsmXQqeijn4KaxRdg', NULL, 0, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'default');


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.invitations VALUES ('88239aa0-4bb6-49fa-878e-a37050fe8c9e', '0adb437a-d07e-4585-ac0e-03a323ede5fd', 'uM4egutlqhrWa2IcLs9mIBuH2SKr9aSSAdR3rxh0RF0', 'accepted', 1795532356779, 1795532352420, 1798124352420);
INSERT INTO public.invitations VALUES ('04ea335d-969d-45de-87a2-4e2c362e93ab', '9be74315-fe6d-41d8-b9e3-8fa4ea385036', '40Eh17A-z5p2FBwWv7mjv4Km5elCJjIJPjYvZ1r1lpI', 'issued', 1795532362645, 1795532362645, 1798124362645);


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
-- Data for Name: route_canaries; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: route_overrides; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.schema_version VALUES (1, 1795532350225, NULL);
INSERT INTO public.schema_version VALUES (2, 1795532350337, NULL);
INSERT INTO public.schema_version VALUES (3, 1795532350546, NULL);
INSERT INTO public.schema_version VALUES (4, 1795532350570, NULL);
INSERT INTO public.schema_version VALUES (5, 1795532350632, NULL);
INSERT INTO public.schema_version VALUES (6, 1795532350697, NULL);
INSERT INTO public.schema_version VALUES (7, 1795532350742, NULL);
INSERT INTO public.schema_version VALUES (8, 1795532350821, NULL);
INSERT INTO public.schema_version VALUES (9, 1795532350832, NULL);
INSERT INTO public.schema_version VALUES (10, 1795532350873, NULL);
INSERT INTO public.schema_version VALUES (11, 1795532350893, NULL);
INSERT INTO public.schema_version VALUES (12, 1795532351015, NULL);
INSERT INTO public.schema_version VALUES (13, 1795532351077, NULL);
INSERT INTO public.schema_version VALUES (14, 1795532351103, NULL);
INSERT INTO public.schema_version VALUES (15, 1795532351132, NULL);
INSERT INTO public.schema_version VALUES (16, 1795532351141, NULL);
INSERT INTO public.schema_version VALUES (17, 1795532351183, NULL);
INSERT INTO public.schema_version VALUES (18, 1795532351237, NULL);
INSERT INTO public.schema_version VALUES (19, 1795532351251, NULL);
INSERT INTO public.schema_version VALUES (20, 1795532351264, NULL);


--
-- Data for Name: settings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.settings VALUES ('sealed', 'kept:DaOKAkHcaEH0jWJr:X0geINVF4SY:rUkKv9c942EzdQ1X2RAalQ');
INSERT INTO public.settings VALUES ('sealing-since', '1795532351425');
INSERT INTO public.settings VALUES ('write-check', '1795532363372');
INSERT INTO public.settings VALUES ('permits:b6ad59ab-96fc-408b-a8b2-806e0a5e1ff0
outer-tests', '6 0');
INSERT INTO public.settings VALUES ('permits', 'stopped');


--
-- Data for Name: snapshot; Type: TABLE DATA; Schema: public; Owner: -
--



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

INSERT INTO public.usage_accounts VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 0, NULL, 2, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: usage_programs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: used_names; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.used_names VALUES ('0adb437a-d07e-4585-ac0e-03a323ede5fd', 2968, 'pZFda8MgFIb/y3t9WGPSpEnuynrTm7J78cLpKRPsx9QWxth/H42MbaRkgYGovD5H9DlSoinb7pmbjksQQPIdzqKH8Y6P6cG7mEAw2vuIXhD22nm26AvC3oWY0ItVV9dVWTVV0TYEr++EgV8vHFMc6gKfveN8XTxdgrntpcS1AgmlCFa/DUlZrFqRo6M+ZErRbUg8Du+Li7wuthuQoFwwzIpGzE4f+G9qG5/CKZ7ZpDnsOpgXd2U7h92w5zRGlfqg39K1tXOd18uyHTnP4bdz8X/nX9+5K/Hn+UQjphswR/wc4ZOilVKf');


--
-- Data for Name: write_owners; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.write_owners VALUES ('vm-5713-dbcdc90c', 1);


--
-- Data for Name: writes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.writes VALUES ('adb144a6-2645-4c45-90fc-14f951e76a9b', '0adb437a-d07e-4585-ac0e-03a323ede5fd', 'client.add', 'v3', 'ImR7a1ZR0Qg5E4E7Ef3SmUt_Sne74WQ2UpwZx1_R38w', NULL, 45, 'vm-5713-dbcdc90c', 'done', NULL, 'told', '1500000000', 'client:1500000000', 1499999999, 'kept:LJ2X1cLMe6NSOtPX:enlFnmrayNXYeFyr3ndLY-n6qgRAOhlD5GBW1nydGad0Qgdu6veeeorhF_KKe83tvTzpyEi3WYjW9CDWV17db4f-nqoYA4MyDLzoy6bx96JG_RPzfKZPgAvvsGQXAQ:Dwi7E0apO6CxOxhoyL7k3g', NULL, NULL, 1795532363103, NULL, NULL, NULL, 0, NULL, NULL, '', NULL, NULL, 1500000000);


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
-- PostgreSQL database dump complete
--

\unrestrict fHmfn6m9azYHXJ942btTJBWN9hlZaE0Hfy7tZUo65u2L7EdZ3UEjGc61daWm3aa

