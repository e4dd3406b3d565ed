/**
 * The machine-checked rules for names of tests: read with the groups around it, a name is a whole sentence that makes
 * sense alone in a failing line. It has a subject and a verb, at least three words, and is unique in its suite.
 */
const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** A name that begins with one of these has no subject: "are exact, of any size and sign". */
const NO_SUBJECT = words(`
  am is are was were be has have had does do did can cannot could may might must should will would and or but nor of
  whose which`);

/** Finite in any position. */
const AUXILIARIES = words(`
  is are was were has have had does do did can cannot could may must should will would isn't aren't doesn't don't`);

/** Words after which a verb follows. */
const ADVERBS = new Set(words('never always also only still not no longer once then again first both alone'));

const VERBS = words(`
  abort accept act add admit advance agree allow allot alter announce answer appear apply approve archive arrive ask
  assign assume await back be bear become begin behave believe belong bind block bounce bound break bring build call
  carry catch change charge check choose claim clear close collect come compare compile complete confirm connect consent
  consume contain continue convert copy cost count cover create cross cut deal decide declare decline decode defer
  define delay delete deliver demand depend describe die differ disable disappear disconnect divide do double doubt
  drain draw drop eat empty enable encode encrypt end enforce enter erase escape evict exceed exchange exclude exist exit
  expect expire explain export fail fall fetch fill find finish fit fix flag flush fold follow forbid force forget form
  format forward frame free freeze get give go grant grow guard guess handle hand hang happen harm have hear heed help
  hide hit hold hurry hurt identify ignore import include increase inform insert intend interrupt invite involve join
  judge keep kill know lack last lead leap learn leave lend let lie lift limit link list listen live load lock log look
  loop lose make map mark mask match matter mean measure meet mend mention merge migrate miss mix modify move name need
  note notice notify number obey object occur offer omit open order outlive outrun overflow overtake overwrite owe own
  page pair panic parse pass pause pay perform permit pick place play point post prefer prepare present press pretend
  prevent print proceed produce promise protect prove provide publish pull punish push put queue quote race raise reach
  read rebuild receive recognise record recover redirect reduce refer reflect refresh refuse register reject release
  rely remain remember remind remove rename renew reopen repair repeat replace reply report request require reserve
  reset resolve respond rest restart restore resume retry return reveal revoke rewrite rise roll rotate round route rule
  run satisfy save say scale schedule seal search see seem select sell send separate serve set settle shake share shed
  shorten show shrink shut sign sink sit skip sleep slow sort speak spell spend spill split spoil spread stall stand
  start starve state stay steal steer step stick stop store stream stretch strike strip submit succeed suffer suffice
  suit sum supply support survive suspend swallow swap sweep switch take talk tell terminate test think throw tidy tie
  time tolerate total touch trace track translate travel treat trim trust try turn understand undo unlock unsubscribe
  update upgrade upload use validate vanish vary verify visit wait wake walk want warn waste watch weigh win wish
  withdraw withhold work wrap write yield`);

/** Verb forms that are also other words: they count only where a verb is expected. */
const HOMONYMS = new Set(
  words(`
  act acts answer answers archive back backs bound bounds call calls change changes charge charges check checks
  claim claims clear close complete consent consents copy copies cost costs count counts cross cut
  cuts deal deals delay delays demand demands die differ double doubt doubts draw drain drop drops empty end
  escape escapes exchange exchanges exit exits expect export exports fail fall falls file find finish fit fits fix
  flag flags fold folds force forces form forms format formats frame frames free grant grants guard guards guess
  hand hands handle handles help hit hits hold import imports increase issue issues join joins judge judges kill
  last lead leads lie lies lift limit limits link links list lists live load loads lock locks log logs look
  looks loop loops map maps mark marks mask match matches matter matters mean means measure measures miss mix
  moves name names note notes notice notices number numbers object objects offer offers open order
  orders own page pages pair pairs panic pass passes pause pauses pay permit permits pick place places play plays
  point points post posts present presents press print prints produce promise promises pull push put puts queue
  queues quote quotes race races raise rebuild record records refresh refreshes register registers release
  releases repair repairs repeat repeats reply replies report reports request requests reserve reserves reset
  resets rest rests restart return returns rise roll rolls round rounds route routes rule rules run runs save
  scale scales schedule schedules seal seals search searches separate set sets settle shake share shares shed shut
  sign signs sleep slow sort sorts spell spend spill split splits spread stall start state states stay step steps
  stick stop store stores stream streams stretch strike strip sum sums supply support supports swap sweep sweeps
  switch switches talk test tests tie ties time times total totals touch trace traces track tracks travel treat
  trim trust try turn turns update updates upgrade upload uploads uses visit visits wait wake walk walks want
  waste watch weigh win wish work wrap yield`),
);

const thirdPerson = (verb: string): string =>
  /(?:[sxzo]|[cs]h)$/.test(verb) ? `${verb}es` : verb.replace(/(?<![aeiou])y$/, 'ie') + 's';

const THIRD_PERSON = new Set(VERBS.map(thirdPerson));

const FINITE = new Set([...AUXILIARIES, ...VERBS, ...THIRD_PERSON, 'comes', 'goes', 'came', 'went']);

const lowerWords = (text: string): readonly string[] => text.toLowerCase().match(/[a-z][a-z'’-]*/g) ?? [];

/**
 * Whether a part has a verb: a homonym where a verb is expected, at the beginning of a name or after an adverb; other
 * forms anywhere.
 */
function hasVerb(part: string): boolean {
  const all = lowerWords(part);
  return all.some((word, at) => {
    const before = all[at - 1];
    const expected = before === undefined || ADVERBS.has(before);
    return FINITE.has(word) && (expected || !HOMONYMS.has(word));
  });
}

/** The groups around a test, and its own name. */
export type TitleParts = readonly string[];

/** The faults in the names of one suite. */
export function titleFaults(titles: readonly TitleParts[]): readonly string[] {
  const seen = new Set<string>();
  return titles.flatMap((parts) => {
    const title = parts.join(' ');
    const isTwin = seen.has(title);
    seen.add(title);
    return faultsOf(parts, title, isTwin).map((fault) => `${parts.join(' › ')}: ${fault}`);
  });
}

/** Without a group around it a name must begin with its subject. */
const hasNoSubject = ({ length }: TitleParts, begin: string): boolean =>
  NO_SUBJECT.includes(begin) || (length === 1 && THIRD_PERSON.has(begin));

function faultsOf(parts: TitleParts, title: string, isTwin: boolean): readonly string[] {
  const begin = lowerWords(title)[0] ?? '';
  return [
    ...(isTwin ? ['another test of the suite has this name'] : []),
    ...(words(title).length < 3 ? ['fewer than three words'] : []),
    ...(hasNoSubject(parts, begin) ? [`it has no subject: it begins with "${begin}"`] : []),
    ...(parts.some(hasVerb) ? [] : ['it has no verb (scripts/testing/titles.ts knows which there are)']),
  ];
}
