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
  abort absorb accept access accompany accumulate achieve acknowledge acquire act adapt add address adjust admit adopt
  advance affect agree aim align allot allow alter amend announce answer appear append apply approve archive arrange
  arrive ask assemble assign assume attach attempt avoid await back balance batch be bear become begin behave believe
  belong bind block bounce bound break bring build cache calculate call cancel carry catch cause cease change charge
  check choose claim clamp clear close collect combine come compare compile complete compose compress compute conclude
  confirm confuse connect consent consist consume contact contain continue contradict contribute control convert
  convey cooperate copy correct cost count cover create cross cut damage deal decide declare decline decode deduce
  defer define degrade delay delete deliver demand depend derive describe deserve detach detect determine deviate die
  differ diminish direct disable disappear discard disclose disconnect discover dismiss display distinguish distort
  distribute diverge divide do double doubt drain draw drop duplicate eat elapse eliminate embed emit empty enable
  encode encounter encrypt end enforce enlarge ensure enter erase escape establish estimate evaluate evict evolve
  examine exceed exchange exclude execute exempt exist exit expand expect expire explain explore export expose extend
  extract facilitate fail fall favour feed fetch fill filter find finish fit fix flag flatten flow flush focus fold
  follow forbid force forget form format forward frame free freeze fulfil gather generate get give go grant group grow
  guard guess hand handle hang happen harm have heal hear heed help hide hint hit hold host hurry hurt identify ignore
  illustrate imply import impose improve include increase indicate infer influence inform inherit insert inspect
  intend interfere interpret interrupt introduce invalidate invent investigate invite involve isolate join judge keep
  kill know label lack last lead leap learn leave lend let level lie lift limit link list listen live load localise
  lock log look loop lose lower maintain make manage map mark mask match matter mean measure meet mend mention merge
  migrate minimise mirror mislead miss mix modify mount move multiply name need normalise note notice notify number
  obey object observe obtain occupy occur offer omit open operate order originate outlast outlive outrun overflow
  overlap override overtake overwrite owe own pace page pair panic parse participate pass patch pause pay perform
  permit persist pick place plan play point populate possess post postpone predict prefer prepare present preserve
  press pretend prevent print proceed produce prohibit prolong promise prompt propagate propose protect prove provide
  prune publish pull punish push put queue quote race raise rank reach read realise reappear reason rebuild recall
  receive reclaim recognise reconcile reconnect record recover recreate redact redeem redirect reduce refer reflect
  refresh refuse regain register reject relate release reload relocate rely remain remember remind remove rename
  render renew reopen reorder repair repeat replace reply report reproduce request require resemble resend reserve
  reset resist resolve respect respond rest restart restore restrict result resume retain retire retract retrieve
  retry return reuse reveal revert revoke reword rewrite rise roll rotate round route rule run sample satisfy save say
  scale scan schedule scramble seal search secure see seem select sell send separate serialise serve set settle shake
  share shed shift shorten show shrink shut sign signal simplify simulate sink sit skip sleep slice slow solve sort
  speak specify spell spend spill split spoil spread stabilise stall stand start starve state stay steal steer stem
  step stick stop store stream strengthen stretch strike strip submit subtract succeed suffer suffice suggest suit sum
  supply support suppress surround survive suspect suspend swallow swap sweep switch synchronise tag take talk tell
  terminate test think throw tidy tie time tolerate total touch trace track transfer transform translate transmit trap
  travel traverse treat trigger trim truncate trust try turn understand undo unfold unify unlock unsubscribe unwrap
  update upgrade upload urge use validate vanish vary verify visit wait wake walk want warn waste watch weigh win wish
  withdraw withhold withstand work worsen wrap write yield`);

/** Verb forms that are also other words: they count only where a verb is expected. */
const HOMONYMS = new Set(
  words(`
  access accesses act acts address addresses answer answers archive attempt attempts back backs balance balances batch
  batches bound bounds cache caches call calls cause causes change changes charge charges check checks claim claims
  clear close complete consent consents contact contacts control controls copies copy correct cost costs count counts
  cross cut cuts damage damages deal deals delay delays demand demands die differ direct display displays double doubt
  doubts drain draw drop drops duplicate duplicates empty end escape escapes estimate estimates exchange exchanges
  exempt exit exits expect export exports fail fall falls favour favours feed feeds file filter filters find finish
  fit fits fix flag flags flow flows focus fold folds force forces form format formats forms frame frames free grant
  grants group groups guard guards guess hand handle handles hands help hint hints hit hits hold host hosts import
  imports increase influence influences issue issues join joins judge judges kill label labels last lead leads level
  levels lie lies lift limit limits link links list lists live load loads lock locks log logs look looks loop loops
  lower map maps mark marks mask match matches matter matters mean means measure measures mirror mirrors miss mix
  mount mounts moves name names note notes notice notices number numbers object objects offer offers open order orders
  own pace paces page pages pair pairs panic pass passes patch patches pause pauses pay permit permits pick place
  places plan plans play plays point points post posts present presents press print prints produce promise promises
  prompt prompts pull push put puts queue queues quote quotes race races raise rank ranks reason reasons rebuild
  record records refresh refreshes register registers release releases repair repairs repeat repeats replies reply
  report reports request requests reserve reserves reset resets respect respects rest restart rests result results
  return returns rise roll rolls round rounds route routes rule rules run runs sample samples save scale scales scan
  scans schedule schedules seal seals search searches secure separate set sets settle shake share shares shed shift
  shifts shut sign signal signals signs sleep slice slices slow sort sorts spell spend spill split splits spread stall
  start state states stay step steps stick stop store stores stream streams stretch strike strip sum sums supply
  support supports suspect suspects swap sweep sweeps switch switches tag tags talk test tests tie ties time times
  total totals touch trace traces track tracks transfer transfers trap traps travel treat trigger triggers trim trust
  try turn turns update updates upgrade upload uploads uses visit visits wait wake walk walks want waste watch weigh
  win wish work wrap yield`),
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
