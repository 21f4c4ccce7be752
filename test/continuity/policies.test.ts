import { describe, expect, test } from 'vitest';
import { ago } from './capsules.ts';
import { health, idsOf, retrieved, stateOf, thread } from './retrieving.ts';

describe('policies of a retrieval', () => {
  const sick = thread('sick', { ...health('degraded'), thread_descriptor: { label: 'a', lifecycle: 'active' } });
  const well = thread('well');
  const torn = thread('torn', health('conflicted'));
  const lost = { ...thread('lost', { thread_descriptor: { label: 'a' } }), active: null };

  test('allow_degraded returns all with warnings; prefer_healthy orders; require_healthy omits and says so', () => {
    const all = retrieved([sick, well, torn]);
    expect(idsOf(all)).toEqual(['sick', 'well', 'torn']);
    expect(stateOf(all).warnings).toEqual(['continuity_degraded', 'continuity_conflicted']);
    const preferred = retrieved([sick, well, torn], { continuity_verification_policy: 'prefer_healthy' });
    expect(idsOf(preferred)).toEqual(['well', 'sick', 'torn']);
    expect(stateOf(preferred).capsules.map((it) => it.salience?.rank)).toEqual([0, 1, 2]);
    const healthy = retrieved([sick, well, torn], { continuity_verification_policy: 'require_healthy' });
    expect(idsOf(healthy)).toEqual(['well']);
    expect(stateOf(healthy).warnings).toEqual(['continuity_unhealthy_omitted']);
  });

  test('allow_fallback returns a fallback with warnings; prefer_active puts it last; require_active omits it', () => {
    const allowed = retrieved([well, lost]);
    expect(idsOf(allowed)).toEqual(['lost', 'well']);
    expect(stateOf(allowed)).toMatchObject({
      fallback_used: true,
      recovery_warnings: ['continuity_active_missing', 'continuity_fallback_used'],
      trust_signals: { integrity: { any_fallback: true } },
    });
    expect(idsOf(retrieved([lost, well], { continuity_resilience_policy: 'prefer_active' }))).toEqual(['well', 'lost']);
    const active = retrieved([lost, well], { continuity_resilience_policy: 'require_active' });
    expect(idsOf(active)).toEqual(['well']);
    expect(stateOf(active)).toMatchObject({ fallback_used: false, recovery_warnings: ['continuity_active_missing'] });
  });

  test.each([
    [301, 'continuity_stale_soft'],
    [451, 'continuity_stale_hard'],
    [601, 'continuity_expired'],
  ])('a capsule that is %i seconds old is returned with %s', (seconds, warning) => {
    const stale = thread('stale', { verified_at: ago(seconds), freshness: { stale_after_seconds: 300 } });
    expect(stateOf(retrieved([stale])).warnings).toEqual([warning]);
  });

  test('a capsule whose own date has passed is returned with continuity_expired', () => {
    const over = thread('over', { freshness: { expires_at: ago(1) } });
    expect(stateOf(retrieved([over])).warnings).toEqual(['continuity_expired']);
  });
});
