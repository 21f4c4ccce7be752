import { expect, test } from 'vitest';
import { judgeAnswers } from '../../../../compiler/tasks/use-cases/doctor/fire-hook.ts';

const FIRED = { call: 'a call', wanted: 0, wanted_stdout: '', exit: 0, stdout: '', stderr: '' };

const codes = (more: Partial<Parameters<typeof judgeAnswers>[0][number]>) =>
  judgeAnswers([FIRED, { ...FIRED, ...more }]).map((it) => [it.code, it.fix]);
const WRONG = [['answer_unexpected', 'vade capability install']];

test('a hook lets a call through in silence, or stops it with a reason', () => {
  expect(codes({})).toEqual([]);
  expect(codes({ wanted: 2, exit: 2, stderr: 'not allowed' })).toEqual([]);
  expect(codes({ wanted_stdout: '/trees/one', stdout: '/trees/one', stderr: 'a note' })).toEqual([]);
});

test('another exit, another output and a word where silence is wanted are faults', () => {
  expect(codes({ exit: 2 })).toEqual(WRONG);
  expect(codes({ wanted: 2 })).toEqual(WRONG);
  expect(codes({ exit: null })).toEqual(WRONG);
  expect(codes({ stdout: 'x' })).toEqual(WRONG);
  expect(codes({ wanted_stdout: '/trees/one', stdout: '/trees/two' })).toEqual(WRONG);
  expect(codes({ stderr: 'a note' })).toEqual(WRONG);
});
