/**
 * Judges the service's answers by the mapping: whether each method is proven on each API version, and all
 * differences between service and mapping. The same difference in several methods is one finding.
 */
import { surfaces, type Judgement } from '../model.ts';
import { recordsIn, xmlRecords } from './answers.ts';
import { Findings, type Judged } from './findings.ts';
import { listedRemarks } from './listed.ts';
import { judgeLookups } from './lookups.ts';
import { MethodJudge } from './method-judge.ts';
import { Reference } from './reference.ts';

/** Judges by the mapping as it is. */
export function judge(judged: Judged): Judgement {
  const reference = referenceOf(judged);
  const findings = new Findings();
  const proofs = judged.mapping.methods.flatMap((method) =>
    surfaces.flatMap((surface) => {
      if (surface === 'v2' && method.v2?.way !== 'steps') return [];
      return [new MethodJudge(judged, reference, findings, method, surface).proof()];
    }),
  );
  judgeLookups(judged, reference, findings);
  for (const remark of listedRemarks(judged, reference)) findings.remark(remark);
  return { proofs, findings: findings.list, remarks: findings.remarks };
}

function referenceOf({ mapping, readings }: Judged): Reference {
  const reference = new Reference();
  const methods = new Map(mapping.methods.map((method) => [method.id, method]));
  for (const reading of readings) {
    const method = methods.get(reading.method);
    if (method === undefined || !('of' in method.reply)) continue;
    const { reply } = method;
    if (reading.surface === 'v2') {
      if (reading.outcome.outcome === 'answered')
        for (const record of recordsIn(reading.outcome.reply, reply))
          reference.shown(method.id, reply.of, record);
    } else
      for (const record of xmlRecords(reading.exchanges, method))
        reference.add(method.id, reading.surface, reply.of, record);
  }
  return reference;
}
