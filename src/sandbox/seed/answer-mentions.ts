/**
 * Records that an answer mentions besides the values of its own record, by number and name alone. If no
 * answer shows such a record, it is created from these.
 */
import type { XmlElement } from '../../lib/xml/element.ts';
import { childOf, childrenIn, membersOf, textIn } from './answer-elements.ts';

/** A record of a list of the seed. */
export interface Mention {
  readonly list: string;
  readonly id: string;
  readonly name: string;
}

const mention = (list: string, element: XmlElement | undefined, idElement = 'ID'): readonly Mention[] => {
  const id = textIn(element, idElement);
  const name = textIn(element, 'Name');
  return id === '' ? [] : [{ list, id, name: name === '' ? 'Unnamed' : name }];
};

/** Finds the records that a record of each list mentions. */
export const mentions: Readonly<Record<string, (element: XmlElement) => readonly Mention[]>> = {
  clients: (client) => childrenIn(client, 'Groups').flatMap((group) => mention('groups', group)),
  jobs: (job) => [
    ...membersOf(job).flatMap((member) => mention('staff', member)),
    ...childrenIn(job, 'Tasks').flatMap((task) => [
      ...membersOf(task).flatMap((member) => mention('staff', member)),
      // The task of the catalogue.
      ...mention('tasks', task, 'TaskID'),
    ]),
  ],
  leads: (lead) =>
    childrenIn(lead, 'Activities').flatMap((activity) => mention('staff', childOf(activity, 'Responsible'))),
};
