(* SPDX-License-Identifier: MIT

   The roller has a motion in contact from its start: theorems about every motion are not empty.

   A linear system y' = A y has the solution sum_n A^n y(0) t^n/n!. Here y has six components: the
   deviations of x2, v2, x3 and v3 from rest, and sin and cos of omega t. *)
From Coq Require Import List.
From Impactcheck Require Import calculus roller_model.
Import ListNotations.

Lemma is_pseries_combination (row l : nat -> R) (a : nat -> nat -> R) (t : R) m :
  (forall j, is_pseries (a j) t (l j)) ->
  is_pseries (fun n => sum_n (fun j => row j * a j n) m) t (sum_n (fun j => row j * l j) m).
Proof.
  intros inside.
  assert (scaled : forall j, is_pseries (fun n => row j * a j n) t (row j * l j))
    by (intros j; apply (is_pseries_scal (row j) (a j) t (l j)); [apply Rmult_comm | apply inside]).
  induction m as [|m IH].
  - rewrite sum_O. apply is_pseries_ext with (2 := scaled 0%nat). intros n; now rewrite sum_O.
  - rewrite sum_Sn. apply is_pseries_ext with (2 := is_pseries_plus _ _ _ _ _ IH (scaled (S m))).
    intros n; now rewrite sum_Sn.
Qed.

Lemma exp_term z n : 0 <= z -> z ^ n / INR (fact n) <= exp z.
Proof.
  intros Hz. apply Rle_trans with (2 := exp_ge_taylor z n Hz).
  destruct n as [|n]; [apply Rle_refl|]. rewrite tech5.
  enough (0 <= sum_f_R0 (fun m => z ^ m / INR (fact m)) n) by lra.
  apply cond_pos_sum; intros m.
  apply Rdiv_le_0_compat; [now apply pow_le | apply INR_fact_lt_0].
Qed.

Section Linear.
Variables (d : nat) (A : nat -> nat -> R) (y0 : nat -> R) (K : R).
Hypothesis K_positive : 0 <= K.
Hypothesis K_bound : forall i, sum_n (fun j => Rabs (A i j)) d <= K.
Hypothesis y0_bound : forall i, Rabs (y0 i) <= 1.

Fixpoint power (n i : nat) : R :=
  match n with O => y0 i | S m => sum_n (fun j => A i j * power m j) d end.
Definition coefficient (i n : nat) : R := power n i / INR (fact n).
Definition solution (i : nat) : R -> R := PSeries (coefficient i).

Lemma power_bound n i : Rabs (power n i) <= K ^ n.
Proof.
  revert i; induction n as [|n IH]; intros i; [rewrite pow_O; apply y0_bound|].
  cbn [power]. apply Rle_trans with (sum_n (fun j => Rabs (A i j) * K ^ n) d).
  - apply Rle_trans with (1 := norm_sum_n_m (V := R_NormedModule) _ 0 d).
    apply sum_n_m_le; intros j. unfold norm; simpl; unfold abs; simpl.
    rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | apply IH].
  - rewrite <- tech_pow_Rmult. rewrite (sum_n_mult_r (K := R_Ring)).
    apply Rmult_le_compat_r; [|apply K_bound].
    apply Rle_trans with (1 := Rabs_pos _) (2 := IH 0%nat).
Qed.

Lemma radius i : CV_radius (coefficient i) = p_infty.
Proof.
  destruct (CV_radius_bounded (coefficient i)) as [upper _].
  assert (all : forall r, Rbar_le (Finite r) (CV_radius (coefficient i))).
  { intros r. apply upper. exists (exp (K * Rabs r)). intros n. unfold coefficient.
    unfold Rdiv. rewrite !Rabs_mult, (Rabs_pos_eq (/ INR (fact n)))
      by (left; apply Rinv_0_lt_compat, INR_fact_lt_0).
    apply Rle_trans with (2 := exp_term _ n (Rmult_le_pos _ _ K_positive (Rabs_pos r))).
    rewrite Rpow_mult_distr, <- RPow_abs.
    replace (Rabs (power n i) * / INR (fact n) * Rabs r ^ n)
      with (Rabs (power n i) * (Rabs r ^ n / INR (fact n))) by (unfold Rdiv; ring).
    replace (K ^ n * Rabs r ^ n / INR (fact n)) with (K ^ n * (Rabs r ^ n / INR (fact n)))
      by (unfold Rdiv; ring).
    apply Rmult_le_compat_r; [|apply power_bound].
    apply Rdiv_le_0_compat; [apply pow_le, Rabs_pos | apply INR_fact_lt_0]. }
  destruct (CV_radius (coefficient i)) as [r| |]; [|reflexivity|].
  - specialize (all (r + 1)). simpl in all; lra.
  - now specialize (all 0).
Qed.

Lemma solution_flows i t :
  is_derive (solution i) t (sum_n (fun j => A i j * solution j t) d).
Proof.
  assert (inside : forall j, is_pseries (coefficient j) t (solution j t)).
  { intros j. apply PSeries_correct, CV_radius_inside. now rewrite radius. }
  evar_last; [apply is_derive_PSeries; now rewrite radius|].
  apply is_pseries_unique.
  apply is_pseries_ext with (2 := is_pseries_combination (A i) _ _ t d inside). intros n.
  unfold PS_derive, coefficient. cbn [power].
  rewrite fact_simpl, mult_INR.
  transitivity (sum_n (fun j => A i j * power n j) d / INR (fact n)).
  - unfold Rdiv. rewrite <- (sum_n_mult_r (K := R_Ring)).
    apply sum_n_ext; intros j. symmetry; apply Rmult_assoc.
  - match goal with |- ?a = ?b => change (@eq R a b) end.
    field. split; [apply INR_fact_neq_0 | now apply not_0_INR].
Qed.
End Linear.

(* The rates of x2, v2, x3, v3, sin, cos. *)
Definition rows : list (list R) := [
  [0; 1; 0; 0; 0; 0];
  [- (k + k23) / m2; - (c + c23) / m2; k23 / m2; c23 / m2; - F_w / m2; 0];
  [0; 0; 0; 1; 0; 0];
  [k23 / m3; c23 / m3; - k23 / m3; - c23 / m3; 0; 0];
  [0; 0; 0; 0; 0; omega];
  [0; 0; 0; 0; - omega; 0]].
Definition A (i j : nat) : R := nth j (nth i rows []) 0.
Definition y0 (i : nat) : R := if Nat.eqb i 5 then 1 else 0.
Definition y (i : nat) : R -> R := solution 5 A y0 i.

Definition s (t : R) : state := {|
  x2 := x2 start + y 0 t; v2 := y 1 t; x3 := x3 start + y 2 t; v3 := y 3 t;
  x_f := - (x2 start + y 0 t) |}.

Lemma sum_of_six (f : nat -> R) :
  sum_n f 5 = f 0%nat + f 1%nat + f 2%nat + f 3%nat + f 4%nat + f 5%nat.
Proof. now rewrite !sum_Sn, sum_O. Qed.

Lemma y_flows i a b : flows (y i) (fun t => sum_n (fun j => A i j * y j t) 5) a b.
Proof.
  apply flows_derive; intros t. apply solution_flows with (K := 200000).
  - lra.
  - intros j. rewrite sum_of_six. do 7 try destruct j as [|j];
      cbn; unfold m2, m3, c, k, k23, c23, F_w, omega; enclose.
  - intros j. unfold y0. destruct (Nat.eqb j 5); rewrite ?Rabs_R0, ?Rabs_R1; lra.
Qed.

Lemma y_start i : y i 0 = y0 i.
Proof. unfold y, solution. rewrite PSeries_0. unfold coefficient. cbn. apply Rdiv_1. Qed.

Lemma y_sin a t : 0 <= t <= a -> y 4 t = sin (omega * t).
Proof.
  intros Ht.
  assert (S : flows (fun t => sin (omega * t)) (fun t => omega * cos (omega * t)) 0 a)
    by (apply flows_derive; intros u; auto_derive; [exact I | ring]).
  assert (C : flows (fun t => cos (omega * t)) (fun t => - omega * sin (omega * t)) 0 a)
    by (apply flows_derive; intros u; auto_derive; [exact I | ring]).
  assert (G := growth _ _ 0 a 0 (flows_plus _ _ _ _ _ _
    (flows_square _ _ _ _ (flows_minus _ _ _ _ _ _ (y_flows 4 0 a) S))
    (flows_square _ _ _ _ (flows_minus _ _ _ _ _ _ (y_flows 5 0 a) C)))).
  cbv beta in G. rewrite !y_start, Rmult_0_r, sin_0, cos_0 in G. unfold y0 in G. simpl Nat.eqb in G.
  specialize (G ltac:(intros u _; rewrite !sum_of_six; cbn; right; ring) t Ht).
  cbv beta in G.
  pose proof (pow2_ge_0 (y 4 t - sin (omega * t))).
  pose proof (pow2_ge_0 (y 5 t - cos (omega * t))).
  nra.
Qed.

Theorem contact_exists (T : R) : contact s T.
Proof.
  assert (shift : forall f f' q, flows f f' 0 T -> flows (fun t => q + f t) f' 0 T).
  { intros f f' q F.
    assert (C : flows (fun _ => q) (fun _ => 0) 0 T)
      by (apply flows_derive; intros; auto_derive; auto).
    apply flows_eq with (3 := flows_plus _ _ _ _ _ _ C F); intros; ring. }
  assert (row : forall i rate, (forall t, 0 < t < T -> sum_n (fun j => A i j * y j t) 5 = rate t) ->
    flows (y i) rate 0 T)
    by (intros i rate E; exact (flows_eq _ _ _ _ _ _ (fun _ => eq_refl) E (y_flows i 0 T))).
  assert (X2 : flows (fun t => x2 (s t)) (fun t => v2 (s t)) 0 T).
  { apply shift, row. intros t _. rewrite sum_of_six; cbn; ring. }
  split; [|split; [exact X2|split; [|split; [|split]]]].
  - unfold s, start. rewrite !y_start. cbn. f_equal; unfold m2, m3, g, k, k23, d; field.
  - apply row. intros t Ht. rewrite sum_of_six; cbn. rewrite (y_sin T t) by lra.
    unfold a2, F_f, F_2, F_e, phase; cbn. rewrite Rplus_0_r.
    unfold m2, m3, g, k, c, k23, c23, d, F_w. field.
  - apply shift, row. intros t _. rewrite sum_of_six; cbn; ring.
  - apply row. intros t _. rewrite sum_of_six; cbn.
    unfold a3, F_2; cbn. unfold m2, m3, g, k, c, k23, c23, d. field.
  - apply flows_eq with (3 := flows_scale (-1) _ _ _ _ X2); intros; cbn; unfold k, c; field.
Qed.
