(* SPDX-License-Identifier: MIT

   All events of preset bouncing-ball/drop (equations: cases/bouncing_ball.yaml):

     x' = v    v' = -g                        flight, until x falls to 0
     x+ = 0    v+ = -e v-                     bounce

   From the height 1 m, with e = 1/2, bounce n = 1, 2, ... is at

     T n = (3 - 2 (1/2)^(n - 1)) sqrt(2 h/g). *)
From Impactcheck Require Import calculus.

Definition h : R := 1.
Definition v0 : R := 0.
Definition g : R := 9.81.
Definition e : R := 1 / 2.

Record state := { x : R; v : R }.
Definition start : state := {| x := h; v := v0 |}.

(* s follows the flow of the mode flight from a to b. The guard is x, its rate v. *)
Definition flight (s : R -> state) (a b : R) : Prop :=
  flows (fun t => x (s t)) (fun t => v (s t)) a b /\
  flows (fun t => v (s t)) (fun t => - g) a b.

Definition bounce (s : state) : state := {| x := 0; v := - e * v s |}.

(* The motion from the state s at the time a. *)
Definition fall (s : state) (a t : R) : state :=
  {| x := x s + v s * (t - a) - g / 2 * (t - a) ^ 2; v := v s - g * (t - a) |}.

Theorem fall_is_a_flight s a b : fall s a a = s /\ flight (fall s a) a b.
Proof.
  split; [|split].
  - destruct s. unfold fall; cbn [x v]. f_equal; ring.
  - apply flows_derive; intros t; cbn [fall x v]. auto_derive; [exact I | field].
  - apply flows_derive; intros t; cbn [fall x v]. auto_derive; [exact I | ring].
Qed.

(* The difference of two flights has the derivative 0. *)
Theorem flight_is_a_fall s a b t : flight s a b -> a <= t <= b -> s t = fall (s a) a t.
Proof.
  intros [X V] Ht. destruct (fall_is_a_flight (s a) a b) as [S [X' V']].
  assert (EV : forall u, a <= u <= b -> v (s u) = v (fall (s a) a u)).
  { intros u Hu.
    destruct (mean_value _ _ a b a u (flows_minus _ _ _ _ _ _ V V')) as [z [_ E]]; try lra.
    cbv beta in E. rewrite S in E. lra. }
  destruct (mean_value _ _ a b a t (flows_minus _ _ _ _ _ _ X X')) as [z [Hz E]]; try lra.
  cbv beta in E. rewrite S, (EV z Hz) in E. specialize (EV t Ht).
  destruct (s t), (fall (s a) a t). cbn [x v] in *. f_equal; lra.
Qed.

Definition fall_time : R := sqrt (2 * h / g).

(* The time at which flight n begins, and the state there; flight 0 begins at the start. *)
Definition T (n : nat) : R := match n with O => 0 | S m => fall_time * (3 - 2 * (1 / 2) ^ m) end.
Definition state_at (n : nat) : state :=
  match n with O => start | S _ => {| x := 0; v := g * fall_time * (1 / 2) ^ n |} end.

Lemma fall_time_square : fall_time ^ 2 = 2 * h / g.
Proof. apply pow2_sqrt. unfold h, g. lra. Qed.

Lemma fall_time_positive : 0 < fall_time.
Proof. apply sqrt_lt_R0. unfold h, g. lra. Qed.

(* Flight n, as long as it is above the floor: x = (g/2) (T (n + 1) - t) (t - r), r <= T n. *)
Lemma factors n : exists r, r <= T n < T (S n) /\ forall t,
  x (fall (state_at n) (T n) t) = g / 2 * (T (S n) - t) * (t - r) /\
  v (fall (state_at n) (T n) t) = g / 2 * (T (S n) - t) - g / 2 * (t - r).
Proof.
  pose proof fall_time_square as square. pose proof fall_time_positive as positive.
  destruct n as [|n].
  - exists (- fall_time). cbn [T state_at start fall x v]. rewrite pow_O. split; [lra|].
    intros t. split; [|unfold v0; lra].
    replace h with (g / 2 * fall_time ^ 2) by (rewrite square; unfold g, h; lra).
    unfold v0. field.
  - pose proof (pow_lt (1 / 2) n ltac:(lra)).
    exists (T (S n)). cbn [T state_at fall x v]. rewrite <- !tech_pow_Rmult.
    split; [nra|]. intros t; split; field.
Qed.

(* Every motion of flight n meets the floor at T (n + 1) and not before, and the jump leads to the
   start of flight n + 1. A motion is followed until some time b after its event. *)
Theorem bounces (n : nat) (s : R -> state) (b : R) :
  s (T n) = state_at n -> flight s (T n) b -> T (S n) < b ->
  (forall t, T n < t < T (S n) -> 0 < x (s t)) /\
  x (s (T (S n))) = 0 /\
  is_derive (fun t => x (s t)) (T (S n)) (v (s (T (S n)))) /\
  v (s (T (S n))) < 0 /\
  (forall t, T (S n) < t <= b -> x (s t) < 0) /\
  bounce (s (T (S n))) = state_at (S n).
Proof.
  intros Hs flies Hb. destruct (factors n) as (r & Hr & form).
  assert (formula : forall t, T n <= t <= b ->
    x (s t) = g / 2 * (T (S n) - t) * (t - r) /\ v (s t) = g / 2 * (T (S n) - t) - g / 2 * (t - r)).
  { intros t Ht. rewrite (flight_is_a_fall s (T n) b t flies Ht), Hs. apply form. }
  destruct (formula (T (S n)) ltac:(lra)) as [X V]. unfold g in *.
  split; [intros t Ht; destruct (formula t ltac:(lra)) as [-> _]; nra|].
  split; [rewrite X; lra|].
  split; [apply flies; lra|].
  split; [rewrite V; lra|].
  split; [intros t Ht; destruct (formula t ltac:(lra)) as [-> _]; nra|].
  unfold bounce. rewrite (flight_is_a_fall s (T n) b (T (S n)) flies ltac:(lra)), Hs.
  cbn [state_at]. f_equal.
  destruct n; cbn [T state_at start fall x v]; rewrite <- ?tech_pow_Rmult, ?pow_O;
    unfold v0, e; field.
Qed.

Theorem first_two_bounces (s_1 s_2 : R -> state) :
  s_1 0 = start -> flight s_1 0 1 ->
  s_2 (T 1) = bounce (s_1 (T 1)) -> flight s_2 (T 1) 1 ->
  let t_1 := T 1 in let before_1 := s_1 t_1 in let after_1 := bounce before_1 in
  let t_2 := T 2 in let before_2 := s_2 t_2 in let after_2 := bounce before_2 in
  near t_1 0.451523640985730904450811124338145 1e-33 /\
  near (x before_1) 0 0 /\
  near (v before_1) (-4.42944691807002017266245712975720) 1e-32 /\
  near (x after_1) 0 0 /\
  near (v after_1) 2.21472345903501008633122856487860 1e-32 /\
  near t_2 0.903047281971461808901622248676290 1e-33 /\
  near (x before_2) 0 0 /\
  near (v before_2) (-2.21472345903501008633122856487860) 1e-32 /\
  near (x after_2) 0 0 /\
  near (v after_2) 1.10736172951750504316561428243930 1e-32.
Proof.
  intros S1 F1 S2 F2.
  assert (T2 : T 2 < 1) by (unfold T, fall_time, h, g; enclose).
  assert (T1 : T 1 < 1) by (unfold T, fall_time, h, g; enclose).
  destruct (bounces 0 s_1 1 S1 F1 T1) as (_ & X1 & _ & _ & _ & J1).
  rewrite J1 in S2.
  destruct (bounces 1 s_2 1 S2 F2 T2) as (_ & X2 & _ & _ & _ & J2).
  cbv zeta. rewrite J1, J2, X1, X2. apply (f_equal v) in J1, J2. cbn [bounce state_at v] in J1, J2.
  replace (v (s_1 (T 1))) with (- (g * fall_time)) by (unfold e in J1; lra).
  replace (v (s_2 (T 2))) with (- (g * fall_time * (1 / 2))) by (unfold e in J2; lra).
  unfold near, state_at, T, fall_time, h, g. cbn [x v].
  repeat split.
  all: match goal with
  | |- Rabs (0 - 0) <= 0 => rewrite Rminus_0_r, Rabs_R0; apply Rle_refl
  | _ => enclose
  end.
Qed.

(* There are infinitely many bounces before t_end. *)
Theorem accumulation : exists t_end : R,
  is_lim_seq T t_end /\
  near t_end 1.35457092295719271335243337301443 1e-32.
Proof.
  exists (fall_time * (3 - 2 * 0)). split; [|unfold near, fall_time, h, g; enclose].
  apply is_lim_seq_incr_1. cbn [T].
  apply (is_lim_seq_scal_l _ fall_time (3 - 2 * 0)).
  apply is_lim_seq_minus'; [apply is_lim_seq_const|].
  apply (is_lim_seq_scal_l _ 2 0), is_lim_seq_geom. rewrite Rabs_pos_eq; lra.
Qed.
