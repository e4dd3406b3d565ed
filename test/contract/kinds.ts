/** An address, and the names below `Response` down to the records. */
export type Read = readonly [path: string, ...names: string[]];

/** What a program of the account can read and send back. */
export interface Kind {
  readonly title: string;
  /** `{…}` is an element of a record of the first read. */
  readonly reads: readonly Read[];
  readonly method: string;
  /** Verb and path; `{ID}` is an element of the record. */
  readonly write: string;
  /** A field that the service works out anew at each such write, whatever was sent. */
  readonly derived?: string;
}

/** Every list that shows jobs, some of them with their tasks; the numbers are those of the seeds. */
const jobLists: readonly Read[] = [
  ['job.api/list?detailed=true&from=20200101&to=20301231', 'Jobs', 'Job'],
  ['job.api/current?detailed=true', 'Jobs', 'Job'],
  ['job.api/staff/7', 'Jobs', 'Job'],
  ['job.api/client/1000000', 'Jobs', 'Job'],
  ['job.api/tasks?complete=false', 'Jobs', 'Job'],
];

const kinds: readonly Kind[] = [
  {
    title: 'a client',
    reads: [
      ['client.api/list?detailed=true', 'Clients', 'Client'],
      ['client.api/search?detailed=true&query=e', 'Clients', 'Client'],
      ['client.api/get/{ID}', 'Client'],
    ],
    method: 'client.update',
    write: 'PUT client.api/update',
  },
  {
    title: 'a contact',
    reads: [
      ['client.api/list?detailed=true', 'Clients', 'Client', 'Contacts', 'Contact'],
      ['client.api/search?detailed=true&query=e', 'Clients', 'Client', 'Contacts', 'Contact'],
      ['client.api/get/1000000', 'Client', 'Contacts', 'Contact'],
      ['client.api/contact/{ID}', 'Contact'],
    ],
    method: 'client.contact.update',
    write: 'PUT client.api/contact/{ID}',
  },
  {
    title: 'a supplier',
    reads: [
      ['supplier.api/list?detailed=true', 'Suppliers', 'Supplier'],
      ['supplier.api/get/{ID}', 'Supplier'],
    ],
    method: 'supplier.update',
    write: 'PUT supplier.api/update',
  },
  {
    title: 'a contact of a supplier',
    reads: [
      ['supplier.api/list?detailed=true', 'Suppliers', 'Supplier', 'Contacts', 'Contact'],
      ['supplier.api/get/301', 'Supplier', 'Contacts', 'Contact'],
      ['supplier.api/contact/{ID}', 'Contact'],
    ],
    method: 'supplier.contact.update',
    write: 'PUT supplier.api/contact/{ID}',
  },
  {
    title: 'a job',
    reads: [...jobLists, ['job.api/get/{ID}', 'Job']],
    method: 'job.update',
    write: 'PUT job.api/update',
  },
  {
    title: 'the state of a job',
    reads: [...jobLists, ['job.api/get/{ID}', 'Job']],
    method: 'job.state',
    write: 'PUT job.api/state',
    derived: 'completedDate',
  },
  {
    title: 'a task of a job',
    reads: [
      ...jobLists.map((read): Read => [...read, 'Tasks', 'Task']),
      ['job.api/get/J000101', 'Job', 'Tasks', 'Task'],
    ],
    method: 'job.task.update',
    write: 'PUT job.api/task',
  },
  {
    title: 'a cost of the catalogue',
    reads: [
      ['cost.api/list', 'Costs', 'Cost'],
      ['cost.api/get/{ID}', 'Cost'],
    ],
    method: 'cost.update',
    write: 'PUT cost.api/update',
  },
  {
    title: 'a member of staff',
    reads: [
      ['staff.api/list', 'StaffList', 'Staff'],
      ['staff.api/get/{ID}', 'Staff'],
    ],
    method: 'staff.update',
    write: 'PUT staff.api/update',
  },
  {
    title: 'a time entry',
    reads: [
      ['time.api/list?from=20200101&to=20301231', 'Times', 'Time'],
      ['time.api/job/J000101', 'Times', 'Time'],
      ['time.api/staff/7?from=20200101&to=20301231', 'Times', 'Time'],
      ['time.api/get/{ID}', 'Time'],
    ],
    method: 'time.update',
    write: 'PUT time.api/update',
  },
];

/** Records whose parts are read by the record's own identifier, which the parts do not hold. */
const parts: readonly (Kind & { readonly of: Read })[] = [
  {
    title: 'a cost of a job',
    of: ['job.api/list?from=20200101&to=20301231', 'Jobs', 'Job'],
    reads: [['job.api/costs/{ID}', 'Costs', 'Cost']],
    method: 'job.cost.update',
    write: 'PUT job.api/cost',
  },
  ...(
    [
      ['client', ['client.api/list', 'Clients', 'Client'], 'client.api/get/{ID}', 'client.api/update/{ID}'],
      [
        'job',
        ['job.api/list?from=20200101&to=20301231', 'Jobs', 'Job'],
        'job.api/get/{ID}',
        'job.api/update/{ID}',
      ],
      [
        'time',
        ['time.api/list?from=20200101&to=20301231', 'Times', 'Time'],
        'time.api/get/{ID}',
        'time.api/update/{ID}',
      ],
      [
        'contact',
        ['client.api/list?detailed=true', 'Clients', 'Client', 'Contacts', 'Contact'],
        'client.api/contact/{ID}',
        'client.api/contact/{ID}',
      ],
      [
        'supplier',
        ['supplier.api/list', 'Suppliers', 'Supplier'],
        'supplier.api/get/{ID}',
        'supplier.api/update/{ID}',
      ],
      [
        'suppliercontact',
        ['supplier.api/list?detailed=true', 'Suppliers', 'Supplier', 'Contacts', 'Contact'],
        'supplier.api/contact/{ID}',
        'supplier.api/contact/{ID}',
      ],
      [
        'jobtask',
        ['job.api/list?detailed=true&from=20200101&to=20301231', 'Jobs', 'Job', 'Tasks', 'Task'],
        'job.api/task/{ID}',
        'job.api/task/{ID}',
      ],
      ['jobcost', ['job.api/costs/J000101', 'Costs', 'Cost'], 'job.api/cost/{ID}', 'job.api/cost/{ID}'],
      [
        'lead',
        ['lead.api/list?from=20200101&to=20301231', 'Leads', 'Lead'],
        'lead.api/get/{ID}',
        'lead.api/update/{ID}',
      ],
    ] as const
  ).map(([kind, of, read, write]) => ({
    title: `the custom fields of a ${kind}`,
    of,
    reads: [[`${read}/customfield`, 'CustomFields']] as const,
    method: `customfield.${kind}.put`,
    write: `PUT ${write}/customfield`,
    // A client is a prospect for as long as it has leads alone.
    ...(kind === 'lead' && { derived: 'isProspect' }),
  })),
];

/** Methods with `PUT` that take no record as it was read: a command, members that come and go, an order. */
export const commands: readonly string[] = [
  'client.archive',
  'clientgroup.members',
  'client.relationship.delete',
  'job.assign',
  'job.reordertasks',
  'job.task.complete',
  'job.task.reopen',
  'supplier.archive',
];

/** Every kind of record that can be read and sent back. */
export const kindsOfRecords: readonly (Kind & { readonly of?: Read })[] = [...kinds, ...parts];
