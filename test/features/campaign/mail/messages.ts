import type { Brand } from '../../../../src/features/campaign/brand.ts';
import type { OutgoingMessage } from '../../../../src/features/campaign/outbox.ts';
import { Secret } from '../../../../src/lib/secret/secret.ts';
import type { Stationery } from '../../../../src/features/campaign/mail/message.ts';
import { loadTexts } from '../../../../src/features/texts/catalogue.ts';
import { unnamedService } from '../../../../src/features/texts/service-name.ts';
import { TextsInForce } from '../../../../src/features/texts/texts-in-force.ts';

export const LINK = 'https://bridge.example/_causeway/connect/9yQ0hV3kZt2bR7mXw4uP1cL8sD6fJ5nA_eGiKoTqHvE';
export const UNSUBSCRIBE = 'https://bridge.example/_causeway/unsubscribe/u-31f8c20b';

export const brand: Brand = {
  name: 'Tidewater Software',
  logo: undefined,
  colour: '#0b5cad',
  onColour: '#ffffff',
  support: 'support@tidewater.example',
};

export const stationery: Stationery = {
  from: { name: 'Tidewater Software', address: 'connect@tidewater.example' },
  texts: new TextsInForce(loadTexts()),
  language: 'en',
  brand,
  services: unnamedService,
  zone: 'UTC',
};

export const account: OutgoingMessage['account'] = {
  name: 'Old Mill Engineering',
  organisation: 'Old Mill Engineering Ltd',
  product: 'standard',
};

export const message = (changes: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id: 'm1',
  messageId: '<m1.7f3a@bridge.example>',
  kind: 'invitation',
  to: { name: 'Mere Tūhoe', address: 'mere@oldmill.example' },
  language: undefined,
  account,
  link: new Secret(LINK),
  by: undefined,
  at: Date.parse('2026-11-20T09:30:00Z'),
  unsubscribe: new Secret(UNSUBSCRIBE),
  expiresAt: Date.parse('2026-12-20T10:00:00Z'),
  reminder: undefined,
  ...changes,
});
