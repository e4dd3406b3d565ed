import { exactly, fails, get, missing, ok, post, refused, studio, without, type Table } from '../case.ts';
import { awkwardName } from '../seed.ts';
import { tradeSeed } from '../tradeSeed.ts';

const UNKNOWN_LEAD = 'Invalid lead identifier';
const lead = (inner: string): string => `<Lead>${inner}</Lead>`;
const between = '<ClientID>1000000</ClientID><OwnerID>8</OwnerID>';
const escaped = awkwardName.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const SIGN =
  '<ID>441</ID><Name>New sign</Name><Description>over the door\nin gold &amp; silver</Description><State>Current</State><EstimatedValue>1500.00</EstimatedValue><Date>2026-11-01T00:00:00</Date><DateWonLost></DateWonLost><Category>Referral</Category><Client><ID>1000000</ID><Name>Example &amp; Sons</Name></Client><Contact><ID>193</ID><Name>Ben Example</Name></Contact><Owner><ID>8</ID><Name>Bo Example</Name></Owner>';
const SIGN_DETAIL =
  '<Activities><Activity><Date>2026-11-05T00:00:00</Date><Subject>Call back</Subject><Completed>false</Completed><Responsible><ID>7</ID><Name>Ada Example</Name></Responsible></Activity><Activity><Date></Date><Subject>Nobody’s</Subject><Completed>true</Completed></Activity></Activities><History><Item><Date>2026-11-01T09:15:00</Date><Type>Created</Type><Staff>Bo Example</Staff><Detail>a &lt; b</Detail></Item></History>';
const VAN = `<ID>442</ID><Name>Van</Name><Description></Description><State>Current</State><EstimatedValue>0.00</EstimatedValue><Date>2026-11-02T00:00:00</Date><DateWonLost></DateWonLost><Category></Category><Client><ID>1000001</ID><Name>${escaped}</Name></Client><Owner><ID>7</ID><Name>Ada Example</Name></Owner>`;

export const leads: Table = {
  title: 'leads',
  seed: [tradeSeed],
  cases: [
    studio(
      'the leads that are current, briefly and in detail',
      get('lead.api/current', exactly(`<Leads><Lead>${SIGN}</Lead><Lead>${VAN}</Lead></Leads>`)),
      get(
        'lead.api/current?detailed=true',
        exactly(
          `<Leads><Lead>${SIGN}${SIGN_DETAIL}</Lead><Lead>${VAN}<Activities /><History /></Lead></Leads>`,
        ),
      ),
    ),
    studio(
      'the leads of a range of days',
      get(
        'lead.api/list?from=20261001&to=20261031',
        ok(
          '<ID>443</ID><Name>Done</Name><Description></Description><State>Won</State><EstimatedValue>-0.05</EstimatedValue><Date>2026-10-01T00:00:00</Date><DateWonLost>2026-10-18T00:00:00</DateWonLost>',
        ),
      ),
      get(
        'lead.api/list?to=20261101&detailed=true&from=20261101',
        exactly(`<Leads><Lead>${SIGN}${SIGN_DETAIL}</Lead></Leads>`),
      ),
      get('lead.api/list?from=20200101&to=20200102', exactly('<Leads />')),
    ),
    studio(
      'a range of days that is none',
      get('lead.api/list', fails(500, 'The parameter from is required')),
      get('lead.api/list?from=20261001', fails(500, 'The parameter to is required')),
      get('lead.api/list?to=20261001&from=', fails(500, 'The parameter from is required')),
      get('lead.api/list?from=yesterday&to=20261001', fails(500, 'Invalid value for from')),
    ),
    studio(
      'one lead',
      get('lead.api/get/441', exactly(`<Lead>${SIGN}${SIGN_DETAIL}</Lead>`)),
      get('lead.api/get/442/', exactly(`<Lead>${VAN}<Activities /><History /></Lead>`)),
      get('lead.api/get/999999999', refused(UNKNOWN_LEAD)),
      get('lead.api/get/x', refused(UNKNOWN_LEAD)),
    ),
    studio(
      'the categories of leads',
      get(
        'lead.api/categories',
        exactly(
          '<Categories><Category><ID>3</ID><Name>Referral</Name></Category><Category><ID>4</ID><Name>Trade &amp; fairs</Name></Category></Categories>',
        ),
      ),
    ),
    studio(
      'a new lead with everything',
      post(
        'lead.api/add',
        '<?xml version="1.0" encoding="utf-16"?><lead><TemplateID>91</TemplateID><CategoryID>4</CategoryID><EstimatedValue>250.5</EstimatedValue><OwnerID>8</OwnerID><ContactID>194</ContactID><ClientID>1000000</ClientID><Description><![CDATA[a < b]]></Description><name>Gate &amp; fence</name></lead>',
        ok(
          '<Name>Gate &amp; fence</Name><Description>a &lt; b</Description><State>Current</State><EstimatedValue>250.50</EstimatedValue><Date>2026-11-20T00:00:00</Date><DateWonLost></DateWonLost><Category>Trade &amp; fairs</Category><Client><ID>1000000</ID><Name>Example &amp; Sons</Name></Client><Contact><ID>194</ID><Name>Cleo Example</Name></Contact><Owner><ID>8</ID><Name>Bo Example</Name></Owner><Activities /><History><Item>',
        ),
      ),
      get('lead.api/get/{new Lead}', ok('<Name>Gate &amp; fence</Name>')),
      get('lead.api/current', ok('<Name>Gate &amp; fence</Name>')),
    ),
    studio(
      'a new lead with what it needs',
      post(
        'lead.api/add',
        lead(`<Name>Bare</Name>${between}<ContactID/><CategoryID></CategoryID>`),
        without(
          ok('<Name>Bare</Name>', '<EstimatedValue>0.00</EstimatedValue>', '<Category></Category>'),
          '<Contact>',
        ),
      ),
    ),
    studio(
      'leads that cannot be',
      post('lead.api/add', lead(between), missing('/Lead/Name')),
      post('lead.api/add', lead('<Name>x</Name><OwnerID>8</OwnerID>'), missing('/Lead/ClientID')),
      post('lead.api/add', lead('<Name>x</Name><ClientID>1000000</ClientID>'), missing('/Lead/OwnerID')),
      post('lead.api/add', '', missing('/Lead/Name')),
      post(
        'lead.api/add',
        lead('<Name>x</Name><ClientID>999</ClientID><OwnerID>8</OwnerID>'),
        refused('Invalid client identifier'),
      ),
      post(
        'lead.api/add',
        lead('<Name>x</Name><ClientID>1000000</ClientID><OwnerID>999</OwnerID>'),
        refused('Invalid owner'),
      ),
      post(
        'lead.api/add',
        lead(`<Name>x</Name>${between}<CategoryID>441</CategoryID>`),
        refused('Invalid category identifier'),
      ),
      post(
        'lead.api/add',
        lead(`<Name>x</Name>${between}<ContactID>195</ContactID>`),
        refused('Invalid contact identifier'),
      ),
      post(
        'lead.api/add',
        lead(`<Name>x</Name>${between}<TemplateID>999</TemplateID>`),
        refused('Invalid template identifier'),
      ),
      post(
        'lead.api/add',
        lead(`<Name>x</Name>${between}<EstimatedValue>much</EstimatedValue>`),
        refused('Invalid value for EstimatedValue'),
      ),
    ),
  ],
};
