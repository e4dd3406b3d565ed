import { describe, expect, it } from '@jest/globals';
import { runTool } from '../../scripts/release/tool.ts';

const node = (script: string): void => {
  runTool(process.execPath, ['--eval', script]);
};

describe('A program that is run for a release', () => {
  it('goes by in silence when it ends well', () => {
    expect(() => {
      node('console.log("made")');
    }).not.toThrow();
  });

  it('is quoted as text, both of its outputs, when it fails', () => {
    const failing = 'console.log("building Füße"); console.error("no such module"); process.exitCode = 3';
    expect(() => {
      node(failing);
    }).toThrow(/ended with 3:\nbuilding Füße\n\nno such module$/);
  });

  it('is named when it is not there', () => {
    expect(() => {
      runTool('no-such-program-here', []);
    }).toThrow(/no-such-program-here could not be run: .*ENOENT/);
  });
});
