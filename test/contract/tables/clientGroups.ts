import {
  exactly,
  get,
  missing,
  ok,
  post,
  put,
  refused,
  statusOnly,
  studio,
  without,
  type Table,
} from '../case.ts';
import { tradeSeed } from '../tradeSeed.ts';

const UNKNOWN_GROUP = 'Invalid group identifier';
const UNKNOWN_CLIENT = 'Invalid client identifier';
const group = (inner: string): string => `<Group>${inner}</Group>`;
const members = (inner: string): string => group(`<ID>63</ID>${inner}`);
const EXAMPLE = '<Client><ID>1000000</ID><Name>Example &amp; Sons</Name></Client>';
const ARCHIVED = '<Client><ID>1000002</ID><Name>Archived Ltd</Name></Client>';
const THIRD = '<ID>63</ID><Name>Größe &amp; 日本 😀</Name><Taxable>No</Taxable>';

export const clientGroups: Table = {
  title: 'client groups',
  seed: [tradeSeed],
  cases: [
    studio(
      'all groups, without their clients',
      get(
        'clientgroup.api/list',
        exactly(
          `<Groups><Group><ID>61</ID><Name>Friends</Name><Taxable>No</Taxable></Group><Group><ID>62</ID><Name>A &lt; B</Name><Taxable>Yes</Taxable></Group><Group>${THIRD}</Group></Groups>`,
        ),
      ),
    ),
    studio(
      'one group with its clients, and one without any',
      get(
        'clientgroup.api/get/61',
        exactly(
          `<Group><ID>61</ID><Name>Friends</Name><Taxable>No</Taxable><Clients>${EXAMPLE}</Clients></Group>`,
        ),
      ),
      get('clientgroup.api/get/63/', exactly(`<Group>${THIRD}<Clients /></Group>`)),
    ),
    studio(
      'groups nobody knows',
      get('clientgroup.api/get/999999999', refused(UNKNOWN_GROUP)),
      get('clientgroup.api/get/abc', refused(UNKNOWN_GROUP)),
      get('clientgroup.api/get/1000000', refused(UNKNOWN_GROUP)),
    ),
    studio(
      'clients join and leave',
      put('clientgroup.api/members', members('<add id="1000000"/>'), ok(`<Clients>${EXAMPLE}</Clients>`)),
      put(
        'clientgroup.api/members',
        '<?xml version="1.0" encoding="utf-16"?><group><remove ID="1000000" /><Add id=" 1000002 "></Add><id>63</id><add id="1000001"/></group>',
        without(ok(ARCHIVED, '<ID>1000001</ID>'), EXAMPLE),
      ),
      put('clientgroup.api/members', members('<add id="1000002"/><remove id="1000004"/>'), ok(ARCHIVED)),
      put('clientgroup.api/members', members(''), ok(ARCHIVED)),
      get('client.api/get/1000002', ok('<Groups><Group><ID>63</ID>')),
      put(
        'clientgroup.api/members',
        members('<remove id="1000001"/><remove id="1000002"/>'),
        exactly(`<Group>${THIRD}<Clients /></Group>`),
      ),
    ),
    studio(
      'members that cannot be',
      put('clientgroup.api/members', members('<add id="999999999"/>'), refused(UNKNOWN_CLIENT)),
      put('clientgroup.api/members', members('<add id="1000003"/>'), refused(UNKNOWN_CLIENT)),
      put('clientgroup.api/members', members('<remove id="abc"/>'), refused(UNKNOWN_CLIENT)),
      put('clientgroup.api/members', members('<add/>'), missing('/Group/add/@id')),
      put('clientgroup.api/members', members('<remove id=""/>'), missing('/Group/remove/@id')),
      put('clientgroup.api/members', group('<add id="1000000"/>'), missing('/Group/ID')),
      put('clientgroup.api/members', group('<ID>999</ID><add id="1000000"/>'), refused(UNKNOWN_GROUP)),
      put('clientgroup.api/members', '', missing('/Group/ID')),
      get('clientgroup.api/get/63', exactly(`<Group>${THIRD}<Clients /></Group>`)),
    ),
    studio(
      'a new group, with and without its first client, and its end',
      post(
        'clientgroup.api/add',
        group('<Name>Fresh &amp; new</Name><ClientID>1000000</ClientID><Taxable>yes</Taxable>'),
        ok(`<Name>Fresh &amp; new</Name><Taxable>Yes</Taxable><Clients>${EXAMPLE}</Clients>`),
      ),
      get('clientgroup.api/get/{new Group}', ok('<Name>Fresh &amp; new</Name>')),
      post('clientgroup.api/delete', group('<ID>{new Group}</ID>'), statusOnly),
      get('clientgroup.api/get/{new Group}', refused(UNKNOWN_GROUP)),
      post('clientgroup.api/delete', group('<ID>{new Group}</ID>'), refused(UNKNOWN_GROUP)),
      post(
        'clientgroup.api/add',
        group('<Name>Plain</Name><ClientID></ClientID>'),
        ok('<Name>Plain</Name><Taxable>No</Taxable><Clients /></Group>'),
      ),
      get('clientgroup.api/list', without(ok('<Name>Plain</Name>'), 'Fresh')),
    ),
    studio(
      'groups that cannot be',
      post('clientgroup.api/add', group('<Taxable>Yes</Taxable>'), missing('/Group/Name')),
      post('clientgroup.api/add', '<Client><Name>x</Name></Client>', missing('/Group/Name')),
      post(
        'clientgroup.api/add',
        group('<Name>x</Name><ClientID>999999999</ClientID>'),
        refused(UNKNOWN_CLIENT),
      ),
      post(
        'clientgroup.api/add',
        group('<Name>x</Name><Taxable>perhaps</Taxable>'),
        refused('Invalid value for Taxable'),
      ),
      post('clientgroup.api/delete', group(''), missing('/Group/ID')),
    ),
  ],
};
