/** The vocabulary of generated records. All people and businesses are invented. */
const words = (of: string) => of.split('|') as [string, ...string[]];

export const givenNames = words(
  'Ada|Aroha|Ben|Chloë|Dmitri|Eilidh|Fatima|Grace|Hēmi|Ingrid|Jürgen|Kahurangi|Li|Māia|Nguyễn|' +
    'Ólafur|Priya|Quentin|Rāwiri|Siobhán|Tomáš|Umar|Violet|Wiremu|Xanthe|Yūki|Zoë|美咲|Олена|Ιωάννα',
);

export const familyNames = words(
  "Abbott|O'Brien|Çelik|Dubois|Eriksson|Fa‘asavalu|García|Hughes|Ihaka|Jensen|Kovač|Lindqvist|" +
    'McKenzie|Ngata|Østergård|Pérez-Núñez|Quill|Rossi|Straße|Te Kanawa|Ueda|van der Berg|Walker|' +
    'Young|Żak|田中|Шевченко',
);

export const trades = words(
  'Accounting|Architects|Bakery|Builders|Cycles|Design|Electrical|Engineering|Farms|Foods|' +
    'Garages|Holdings|Joinery|Law|Landscapes|Motors|Orchards|Plumbing|Surveyors|Textiles',
);

export const forms = words('Ltd|Limited|Pty Ltd|Trust|& Co|& Sons|Partners|GmbH|LLC');

export const streets = words('High Street|Queen Street|Quay Road|Mill Lane|Te Ara Road|Station Road');

export const towns = [
  ['Wellington', 'Wellington', '6011', 'New Zealand'],
  ['Auckland', 'Auckland', '0620', 'New Zealand'],
  ['Whangārei', 'Northland', '0110', 'New Zealand'],
  ['Dunedin', 'Otago', '9016', 'New Zealand'],
  ['Darwin', 'NT', '0800', 'Australia'],
  ['Melbourne', 'VIC', '3000', 'Australia'],
  ['Zürich', '', '8001', 'Schweiz'],
] as const;

/** Values that programs often get wrong; they come first, so that even the smallest seed has them. */
export const awkwardNames = [
  'Example & Sons',
  '<Angle> "Quote" & \'Apostrophe\'',
  'true',
  '1e5',
  '00123',
  '1.10',
  'null',
  '𝔘nicode 🏔️ Alpine 👩‍👩‍👧',
  'مكتب الخليج',
  'Café — naïve coöperation…',
  ']]> End of Section',
  '&amp; Already Escaped',
  `The ${'Very '.repeat(60)}Long Name Company`,
  '株式会社さくら',
  'D\'Arcy, "Dee"; DROP TABLE --',
  '=SUM(A1:A9)',
] as const;

export const awkwardTexts = [
  '+64 21 555 0100',
  '0800 000 111',
  '1e5',
  'true',
  '007',
  '1.10',
  '-0',
  'No',
  '<none>',
] as const;

export const awkwardAddresses = [
  '1 High Street\nFloor 2',
  'c/o "The Mill" & Co\nPO Box 0042\n\nRear entrance',
  'Unit <3>, 7–9 Straße des 17. Juni',
] as const;
