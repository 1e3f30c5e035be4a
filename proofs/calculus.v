(* SPDX-License-Identifier: MIT

   What the proofs of events share: balls, motions, and two consequences of the mean value theorem.

   The tactic `interval` computes here with the integers of Coq's library. With its defaults it uses
   the processor's integers, and a theorem then rests on axioms about these too. *)
From Coq Require Export Reals Lra.
From Coquelicot Require Export Coquelicot.
From Interval Require Import Specific_ops Specific_stdz.
From Interval Require Export Tactic.
Module Exact_floats := SpecificFloat StdZRadix2.
Module Exact_intervals := IntervalTactic Exact_floats.
Export Exact_intervals.
Ltac enclose := interval with (i_prec 150).
Open Scope R_scope.

(* A ball: a number with a radius, as `impactcheck certify` prints it. *)
Definition near (value number radius : R) : Prop := Rabs (value - number) <= radius.

(* f follows the flow f' from a to b: f is continuous, and its derivative inside is f'. *)
Definition flows (f f' : R -> R) (a b : R) : Prop :=
  (forall t, a < t < b -> is_derive f t (f' t)) /\
  (forall t, a <= t <= b -> continuous f t).

Lemma flows_within f f' a b c d : flows f f' a b -> a <= c -> d <= b -> flows f f' c d.
Proof. intros [D C] Hc Hd; split; intros t Ht; [apply D | apply C]; lra. Qed.

Lemma flows_derive f f' a b : (forall t, is_derive f t (f' t)) -> flows f f' a b.
Proof.
  intros D; split; intros t _; [apply D | apply @ex_derive_continuous]. now exists (f' t).
Qed.

Lemma flows_eq f f' h h' a b : (forall t, f t = h t) -> (forall t, a < t < b -> f' t = h' t) ->
  flows f f' a b -> flows h h' a b.
Proof.
  intros E E' [D C]; split; intros t Ht.
  - apply is_derive_ext with (1 := E). rewrite <- E' by assumption. auto.
  - apply continuous_ext with (1 := E). auto.
Qed.

Lemma flows_plus f f' h h' a b : flows f f' a b -> flows h h' a b ->
  flows (fun t => f t + h t) (fun t => f' t + h' t) a b.
Proof.
  intros [Df Cf] [Dh Ch]; split; intros t Ht.
  - apply @is_derive_plus; auto.
  - apply @continuous_plus; auto.
Qed.

Lemma flows_minus f f' h h' a b : flows f f' a b -> flows h h' a b ->
  flows (fun t => f t - h t) (fun t => f' t - h' t) a b.
Proof.
  intros [Df Cf] [Dh Ch]; split; intros t Ht.
  - apply @is_derive_minus; auto.
  - apply @continuous_minus; auto.
Qed.

Lemma flows_scale q f f' a b : flows f f' a b ->
  flows (fun t => q * f t) (fun t => q * f' t) a b.
Proof.
  intros [D C]; split; intros t Ht.
  - apply is_derive_scal; auto.
  - apply @continuous_scal_r; auto.
Qed.

Lemma flows_square f f' a b : flows f f' a b ->
  flows (fun t => f t ^ 2) (fun t => 2 * f t * f' t) a b.
Proof.
  intros [D C]; split; intros t Ht.
  - apply is_derive_ext with (fun t => f t * f t); [intros; simpl; ring|].
    evar_last; [exact (is_derive_mult f f t _ _ (D t Ht) (D t Ht) Rmult_comm)|].
    cbn; ring.
  - apply continuous_ext with (fun t => f t * f t); [intros; simpl; ring|].
    apply @continuous_mult; auto.
Qed.

Lemma mean_value f f' a b t u : flows f f' a b -> a <= t <= u -> u <= b ->
  exists z, a <= z <= b /\ f u - f t = f' z * (u - t).
Proof.
  intros [D C] Ht Hu.
  destruct (MVT_gen f t u f') as [z [Hz E]]; try rewrite -> Rmin_left, Rmax_right in * by lra.
  - intros z Hz. apply D; lra.
  - intros z Hz. apply continuity_pt_filterlim, C; lra.
  - exists z; split; [lra | exact E].
Qed.

(* f' <= rate implies f(t) <= f(a) + rate (t - a). *)
Lemma growth f f' a b rate :
  flows f f' a b -> (forall t, a <= t <= b -> f' t <= rate) ->
  forall t, a <= t <= b -> f t <= f a + rate * (t - a).
Proof.
  intros F bound t Ht.
  destruct (mean_value f f' a b a t F) as [z [Hz E]]; try lra.
  specialize (bound z Hz).
  apply Rmult_le_compat_r with (r := t - a) in bound; lra.
Qed.

(* A function that falls everywhere, and is positive at lo and negative at hi, has one zero. *)
Lemma crossing f f' a b lo hi :
  flows f f' a b -> a <= lo < hi -> hi <= b ->
  (forall t, a <= t <= b -> f' t < 0) -> f hi < 0 < f lo ->
  exists z, lo < z < hi /\ f z = 0 /\
    (forall t, a <= t < z -> 0 < f t) /\ (forall t, z < t <= b -> f t < 0).
Proof.
  intros F Hlo Hhi falls [below above].
  assert (decreasing : forall t u, a <= t < u -> u <= b -> f u < f t).
  { intros t u Ht Hu.
    destruct (mean_value f f' a b t u F) as [z [Hz E]]; try lra.
    specialize (falls z Hz). nra. }
  destruct (Ranalysis5.IVT_interv (fun t => - f t) lo hi) as [z [Hz E]]; try lra.
  - intros t Ht. apply continuity_pt_opp, continuity_pt_filterlim, F. lra.
  - assert (f z = 0) by lra.
    assert (lo <> z) by (intros <-; lra).
    assert (hi <> z) by (intros <-; lra).
    exists z. repeat split; try lra; intros t Ht.
    + specialize (decreasing t z). lra.
    + specialize (decreasing z t). lra.
Qed.
