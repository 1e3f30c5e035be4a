(* SPDX-License-Identifier: MIT

   The first event of preset roller/III/C, from static rest in contact: separation, where the force
   of the soil falls to 0. roller_model.v has the equations; roller_exists.v proves that there is
   such a motion. *)
From Impactcheck Require Import polynomials roller_model roller_series.

Lemma near_by x p error number radius :
  near x p error -> Rabs (p - number) <= radius - error -> near x number radius.
Proof.
  intros X P. unfold near. replace (x - number) with ((x - p) + (p - number)) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _). unfold near in X. lra.
Qed.

(* Writes the polynomial p of tau = 62 t as a formula that `interval` reads. *)
Ltac expand p := unfold at_time, one; let q := eval vm_compute in p in change p with q; cbn [value].
Ltac first_part tactic :=
  match goal with |- ?A /\ _ => assert A by tactic; split; [assumption|] end.

(* Every motion of the mode contact, followed until 1/62 s, which is just after the event: *)
Theorem separation (s : R -> state) : contact s (/ 62) ->
  exists t_1 : R, let before_1 := s t_1 in let after_1 := separate before_1 in
    (* the guard falls through 0 once, and not before t_1 *)
    (forall t, 0 <= t < t_1 -> 0 < F_f (s t)) /\
    F_f before_1 = 0 /\
    is_derive (fun t => F_f (s t)) t_1 (F_f_rate t_1 before_1) /\
    F_f_rate t_1 before_1 < - 20000000 /\
    (forall t, t_1 < t <= / 62 -> F_f (s t) < 0) /\
    (* the time, the state before the event, and the state after it *)
    near t_1 0.0159830816298219205536170506094437 1e-34 /\
    near (x2 before_1) (-0.000213853873617717579776581064915702) 1e-36 /\
    near (v2 before_1) 0.0845272227738014149314549663698425 1e-34 /\
    near (x3 before_1) (-0.00999522925746106058957322416083966) 1e-35 /\
    near (v3 before_1) (-0.00267387197006822118863938340950813) 1e-35 /\
    near (x_f before_1) 0.000213853873617717579776581064915702 1e-36 /\
    near (x2 after_1) (-0.000213853873617717579776581064915702) 1e-36 /\
    near (v2 after_1) 0.0845272227738014149314549663698425 1e-34 /\
    near (x3 after_1) (-0.00999522925746106058957322416083966) 1e-35 /\
    near (v3 after_1) (-0.00267387197006822118863938340950813) 1e-35 /\
    near (x_f after_1) 0 0.
Proof.
  intros motion. assert (states := enclosure s motion). assert (guard := guard_enclosure s motion).
  (* Until 15.5 ms the guard is positive, then it falls. *)
  assert (early : forall t, 0 <= t <= 0.0155 -> 0 < F_f (s t)).
  { intros t Ht. destruct (guard t ltac:(lra)) as [F _]. apply Rabs_le_between in F.
    enough (1 < at_time p_F_f t) by lra.
    expand p_F_f. interval with (i_prec 60, i_bisect t, i_depth 20). }
  assert (late : forall t, 0.0155 <= t <= / 62 -> F_f_rate t (s t) < - 20000000).
  { intros t Ht. destruct (guard t ltac:(lra)) as [_ F]. apply Rabs_le_between in F.
    enough (at_time p_F_f_rate t < - 20000001) by lra.
    expand p_F_f_rate. interval with (i_prec 60, i_bisect t, i_depth 20). }
  assert (flow : flows (fun t => F_f (s t)) (fun t => F_f_rate t (s t)) 0 (/ 62)).
  { destruct motion as (_ & X2 & V2 & _).
    exact (flows_minus _ _ _ _ _ _ (flows_scale (- c) _ _ _ _ V2) (flows_scale k _ _ _ _ X2)). }
  (* It is positive at lo and negative at hi. *)
  set (lo := 0.01598308162982192055361705060944371040116).
  set (hi := 0.01598308162982192055361705060944371040136).
  assert (signs : F_f (s hi) < 0 < F_f (s lo)).
  { destruct (guard lo ltac:(unfold lo; lra)) as [L _], (guard hi ltac:(unfold hi; lra)) as [H _].
    apply Rabs_le_between in L, H.
    enough (at_time p_F_f hi < - 1e-33 /\ 1e-33 < at_time p_F_f lo) by lra.
    unfold lo, hi. expand p_F_f. split; enclose. }
  destruct (crossing (fun t => F_f (s t)) (fun t => F_f_rate t (s t)) 0.0155 (/ 62) lo hi)
    as (t_1 & Ht & zero & above & below); try (unfold lo, hi; lra).
  { apply flows_within with (1 := flow); lra. }
  { intros t Ht. specialize (late t Ht). lra. }
  { exact signs. }
  assert (narrow : lo <= t_1 <= hi) by lra. unfold lo, hi in narrow.
  destruct (states t_1 ltac:(lra)) as (X2 & V2 & X3 & V3 & X_f).
  exists t_1. cbn [separate x2 v2 x3 v3 x_f]. rewrite X_f.
  split; [intros t Hbefore; destruct (Rle_or_lt t 0.0155); [apply early | apply above]; lra|].
  split; [exact zero|].
  split; [apply flow; lra|].
  split; [apply late; lra|].
  split; [exact below|].
  split; [unfold near; enclose|].
  first_part ltac:(apply near_by with (1 := X2); expand p2; enclose).
  first_part ltac:(apply near_by with (1 := V2); expand q2; enclose).
  first_part ltac:(apply near_by with (1 := X3); expand p3; enclose).
  first_part ltac:(apply near_by with (1 := V3); expand q3; enclose).
  first_part ltac:(unfold near in *; apply Rabs_le_between; apply Rabs_le_between in H; lra).
  repeat (split; [assumption|]).
  unfold near. rewrite Rminus_0_r, Rabs_R0. apply Rle_refl.
Qed.
