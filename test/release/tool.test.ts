import { describe, expect, it } from '@jest/globals';
import { runTool } from '../../scripts/release/tool.ts';

const node = (script: string): void => {
  runTool(process.execPath, ['--eval', script]);
};

describe('a program that is run for a release', () => {
  it('prints nothing if it succeeds', () => {
    expect(() => {
      node('console.log("made")');
    }).not.toThrow();
  });

  it('is quoted as text, with both of its outputs, if it fails', () => {
    const failing = 'console.log("building Füße"); console.error("no such module"); process.exitCode = 3';
    expect(() => {
      node(failing);
    }).toThrow(/ended with 3:\nbuilding Füße\n\nno such module$/);
  });

  it('is named if it is not installed', () => {
    expect(() => {
      runTool('no-such-program-here', []);
    }).toThrow(/no-such-program-here could not be run: .*ENOENT/);
  });
});
