(* SPDX-License-Identifier: MIT

   Every motion of the roller in contact stays close to polynomials in the time, from 0 to 1/62 s.

   The polynomials p2 and p3 are Taylor series with rounded coefficients, computed by recurrence.
   The proof does not depend on how they were made: it computes their defects, the forces f2 and f3
   by which they miss the equations of motion,

     m2 p2'' = (force on the roller at p2, p3) + f2,   m3 p3'' = (force on the frame) + f3.

   The errors y2 = x2 - p2 and y3 = x3 - p3, with rates w2 and w3, move as the roller does under the
   forces -f2 and -f3, without weight and exciter. Twice the energy of this motion,

     e = m2 w2^2 + m3 w3^2 + k y2^2 + k23 (y3 - y2)^2,

   begins at 0. The forces cannot supply much more than the dampers dissipate:

     e' = -2 c w2^2 - 2 c23 (w3 - w2)^2 - 2 f2 w2 - 2 f3 w3 <= (f2 + f3)^2/(2 c) + f3^2/(2 c23). *)
From Impactcheck Require Import polynomials roller_model.

(* ---- The polynomials, in tau = 62 t, with coefficients in units of 1/one. Digits of pi, and the
   parameters of roller_model.v once more: a wrong one would make the defects large. *)

Open Scope Z_scope.
Definition one : Z := 10 ^ 48.
Definition pi : Z := 3141592653589793238462643383279502884197169399375.

(* Coefficients n, n + 1, ... of sin(omega t), x2 and x3, from coefficients n and n + 1. *)
Fixpoint series (steps : nat) (n s s' x x' y y' : Z) : list (Z * Z * Z) :=
  match steps with
  | O => []
  | S more =>
    let F_2 := 10000 * 62 * (n + 1) * (y' - x') + 1000000 * (y - x) in
    let F_f := - 506000 * 62 * (n + 1) * x' - 200000000 * x in
    let g := if n =? 0 then 981 * one / 100 else 0 in
    let weight := 62 ^ 2 * (n + 1) * (n + 2) in
    let s'' := - (80 * pi) ^ 2 * s / (one ^ 2 * weight) in
    let x'' := (- 2000 * g + F_f + F_2 - 58800 * s) / (2000 * weight) in
    let y'' := (- 1000 * g - F_2) / (1000 * weight) in
    (s, x, y) :: series more (n + 1) s' s'' x' x'' y' y''
  end.

Definition coefficients := Eval vm_compute in
  series 72 0 0 (80 * pi / 62) (- 14715 * one / 10 ^ 8) 0 (- 995715 * one / 10 ^ 8) 0.
Definition p_sin := Eval vm_compute in map (fun a => fst (fst a)) coefficients.
Definition p2 := Eval vm_compute in map (fun a => snd (fst a)) coefficients.
Definition p3 := Eval vm_compute in map snd coefficients.

(* d/dt = 62 d/dtau *)
Definition rate (p : list Z) := scale 62 (derivative p).
Definition q2 := Eval vm_compute in rate p2.
Definition q3 := Eval vm_compute in rate p3.

Definition p_F_2 :=
  add (scale 10000 (add q3 (scale (-1) q2))) (scale 1000000 (add p3 (scale (-1) p2))).
Definition p_F_f := add (scale (-506000) q2) (scale (-200000000) p2).
Definition p_F_f_rate := add (scale (-506000) (rate q2)) (scale (-200000000) q2).
Definition defect2 := add (scale 2000 (rate q2)) (add [19620 * one] (add (scale (-1) p_F_f)
  (add (scale (-1) p_F_2) (scale 58800 p_sin)))).
Definition defect3 := add (scale 1000 (rate q3)) (add [9810 * one] p_F_2).
Close Scope Z_scope.

Definition at_time (p : list Z) (t : R) : R := value p (62 * t) / IZR one.

Lemma at_time_add p q t : at_time (add p q) t = at_time p t + at_time q t.
Proof. unfold at_time. rewrite value_add. apply Rdiv_plus_distr. Qed.

Lemma at_time_scale a p t : at_time (scale a p) t = IZR a * at_time p t.
Proof. unfold at_time. rewrite value_scale. apply Rmult_assoc. Qed.

Lemma at_time_constant a t : at_time [a * one]%Z t = IZR a.
Proof.
  unfold at_time; cbn [value]. rewrite mult_IZR. field. now apply not_0_IZR.
Qed.

Lemma at_time_rate p a b : flows (at_time p) (at_time (rate p)) a b.
Proof.
  apply flows_derive; intros t; unfold rate. rewrite at_time_scale; unfold at_time.
  apply is_derive_ext with (fun t => / IZR one * value p (62 * t)).
  { intros; apply Rmult_comm. }
  evar_last.
  - apply is_derive_scal, (is_derive_comp (value p) (fun t => 62 * t)).
    + apply value_derivative.
    + apply is_derive_scal, @is_derive_id.
  - unfold scal, Hierarchy.one; simpl; unfold mult, Rdiv; simpl; ring.
Qed.

(* ---- Their defects *)

Lemma sin_error t : 0 <= t <= / 62 ->
  Rabs (sin (omega * t + phase) - at_time p_sin t) <= 1e-42.
Proof.
  intros Ht.
  replace (omega * t + phase) with (80 * PI / 62 * (62 * t)) by (unfold omega, phase; field).
  unfold at_time. assert (0 <= 62 * t <= 1) by lra.
  set (tau := 62 * t) in *; clearbody tau.
  cbv [value p_sin]; unfold one.
  interval with (i_prec 180, i_taylor tau, i_degree 73).
Qed.

Definition f2 (t : R) : R := at_time defect2 t + F_w * (sin (omega * t + phase) - at_time p_sin t).
Definition f3 (t : R) : R := at_time defect3 t.

Lemma defect_size p t : 0 <= t <= / 62 -> (size p <= 10 ^ 12)%Z -> Rabs (at_time p t) <= 2e-36.
Proof.
  intros Ht Hp. unfold at_time, Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ IZR one)).
  - apply IZR_le in Hp. pose proof (value_size p (62 * t) ltac:(lra)).
    apply Rle_trans with (IZR (10 ^ 12) * / IZR one).
    + apply Rmult_le_compat_r; [unfold one; enclose | lra].
    + unfold one; enclose.
  - unfold one; enclose.
Qed.

Lemma f2_bound t : 0 <= t <= / 62 -> Rabs (f2 t) <= 1e-35.
Proof.
  intros Ht. unfold f2.
  pose proof (sin_error t Ht) as S.
  pose proof (defect_size defect2 t Ht ltac:(now vm_compute)) as D.
  revert S D; generalize (sin (omega * t + phase) - at_time p_sin t) (at_time defect2 t).
  intros a b; unfold F_w; intros. apply Rabs_le_between in S, D. apply Rabs_le_between. lra.
Qed.

Lemma f3_bound t : 0 <= t <= / 62 -> Rabs (f3 t) <= 1e-35.
Proof.
  intros Ht. apply Rle_trans with 2e-36; [|lra].
  apply defect_size; [assumption | now vm_compute].
Qed.

Lemma f2_f3_bound t : 0 <= t <= / 62 -> Rabs (f2 t + f3 t) <= 2e-35.
Proof.
  intros Ht. pose proof (Rabs_triang (f2 t) (f3 t)).
  pose proof (f2_bound t Ht). pose proof (f3_bound t Ht). lra.
Qed.

Ltac as_polynomials := repeat rewrite ?at_time_add, ?at_time_scale, ?at_time_constant.

Lemma f2_equation t : m2 * at_time (rate q2) t =
  - m2 * g + at_time p_F_f t + at_time p_F_2 t - F_e t + f2 t.
Proof.
  unfold f2, defect2, F_e. as_polynomials. unfold m2, g, F_w. lra.
Qed.

Lemma f3_equation t : m3 * at_time (rate q3) t = - m3 * g - at_time p_F_2 t + f3 t.
Proof.
  unfold f3, defect3. as_polynomials. unfold m3, g. lra.
Qed.

(* ---- The errors *)

Section Errors.
Variable s : R -> state.
Hypothesis motion : contact s (/ 62).

Let y2 t := x2 (s t) - at_time p2 t.
Let w2 t := v2 (s t) - at_time q2 t.
Let y3 t := x3 (s t) - at_time p3 t.
Let w3 t := v3 (s t) - at_time q3 t.
Let e t := m2 * w2 t ^ 2 + m3 * w3 t ^ 2 + (k * y2 t ^ 2 + k23 * (y3 t - y2 t) ^ 2).
Let w2' t := a2 t (s t) - at_time (rate q2) t.
Let w3' t := a3 (s t) - at_time (rate q3) t.

Lemma w2_equation t :
  m2 * w2' t = - c * w2 t - k * y2 t + c23 * (w3 t - w2 t) + k23 * (y3 t - y2 t) - f2 t.
Proof.
  unfold w2', w2, w3, y2, y3. rewrite Rmult_minus_distr_l, f2_equation.
  unfold a2, F_f, F_2, p_F_f, p_F_2. as_polynomials.
  unfold m2, g, c, k, c23, k23, d. lra.
Qed.

Lemma w3_equation t : m3 * w3' t = - c23 * (w3 t - w2 t) - k23 * (y3 t - y2 t) - f3 t.
Proof.
  unfold w3', w2, w3, y2, y3. rewrite Rmult_minus_distr_l, f3_equation.
  unfold a3, F_2, p_F_2. as_polynomials.
  unfold m3, g, c23, k23, d. lra.
Qed.

Lemma errors_start : y2 0 = 0 /\ w2 0 = 0 /\ y3 0 = 0 /\ w3 0 = 0.
Proof.
  assert (constant : forall a p, at_time (a :: p) 0 = IZR a / IZR one).
  { intros a p; unfold at_time; simpl. rewrite Rmult_0_r, Rmult_0_l, Rplus_0_r. reflexivity. }
  destruct motion as [S _]. unfold y2, w2, y3, w3. rewrite S.
  unfold p2, q2, p3, q3. rewrite !constant. unfold one; simpl.
  unfold m2, m3, g, d, k, k23. repeat split; lra.
Qed.

Lemma errors_flow :
  flows y2 w2 0 (/ 62) /\ flows w2 w2' 0 (/ 62) /\ flows y3 w3 0 (/ 62) /\ flows w3 w3' 0 (/ 62).
Proof.
  destruct motion as (_ & X2 & V2 & X3 & V3 & _).
  split; [|split; [|split]]; apply flows_minus; try assumption; apply at_time_rate.
Qed.

(* -2 a w^2 - 2 f w <= f^2/(2 a), from 0 <= (2 a w + f)^2/(2 a) *)
Lemma dissipation a w f F : 0 < a -> Rabs f <= F -> - 2 * a * w ^ 2 - 2 * f * w <= F ^ 2 / (2 * a).
Proof.
  intros Ha Hf. apply Rle_trans with (f ^ 2 / (2 * a)).
  - assert (0 <= (2 * a * w + f) ^ 2 / (2 * a))
      by (apply Rdiv_le_0_compat; [apply pow2_ge_0 | lra]).
    replace (f ^ 2 / (2 * a)) with
      ((2 * a * w + f) ^ 2 / (2 * a) + (- 2 * a * w ^ 2 - 2 * f * w)) by (field; lra).
    lra.
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | now apply pow_maj_Rabs].
Qed.

Lemma energy_bound t : 0 <= t <= / 62 -> e t <= 1e-76.
Proof.
  intros Ht. destruct errors_flow as (Y2 & W2 & Y3 & W3).
  assert (flow := flows_plus _ _ _ _ _ _
    (flows_plus _ _ _ _ _ _ (flows_scale m2 _ _ _ _ (flows_square _ _ _ _ W2))
                            (flows_scale m3 _ _ _ _ (flows_square _ _ _ _ W3)))
    (flows_plus _ _ _ _ _ _ (flows_scale k _ _ _ _ (flows_square _ _ _ _ Y2))
       (flows_scale k23 _ _ _ _ (flows_square _ _ _ _ (flows_minus _ _ _ _ _ _ Y3 Y2))))).
  apply growth with (rate := 6e-75) (t := t) in flow; [| clear t Ht; intros t Ht | assumption].
  - cbv beta in flow. change (e t <= e 0 + 6e-75 * (t - 0)) in flow.
    destruct errors_start as (E1 & E2 & E3 & E4).
    replace (e 0) with 0 in flow by (unfold e; rewrite E1, E2, E3, E4; ring). lra.
  - replace (_ + _) with ((- 2 * c * w2 t ^ 2 - 2 * (f2 t + f3 t) * w2 t) +
      (- 2 * c23 * (w3 t - w2 t) ^ 2 - 2 * f3 t * (w3 t - w2 t))).
    + pose proof (dissipation c (w2 t) _ 2e-35 ltac:(unfold c; lra) (f2_f3_bound t Ht)).
      pose proof (dissipation c23 (w3 t - w2 t) _ 1e-35 ltac:(unfold c23; lra) (f3_bound t Ht)).
      apply Rle_trans with (2e-35 ^ 2 / (2 * c) + 1e-35 ^ 2 / (2 * c23)); [lra|].
      unfold c, c23; enclose.
    + pose proof (w2_equation t). pose proof (w3_equation t).
      replace (m2 * (2 * w2 t * w2' t)) with (2 * w2 t * (m2 * w2' t)) by ring.
      replace (m3 * (2 * w3 t * w3' t)) with (2 * w3 t * (m3 * w3' t)) by ring.
      rewrite w2_equation, w3_equation. ring.
Qed.

Lemma from_energy a y bound : a * y ^ 2 <= 1e-76 -> 0 <= bound -> 1e-76 < a * bound ^ 2 ->
  Rabs y <= bound.
Proof.
  intros Hy Hb H.
  destruct (Rle_or_lt (Rabs y) bound) as [|larger]; [assumption|].
  rewrite <- (pow2_abs y) in Hy. nra.
Qed.

Theorem enclosure t : 0 <= t <= / 62 ->
  near (x2 (s t)) (at_time p2 t) 1e-42 /\
  near (v2 (s t)) (at_time q2 t) 3e-40 /\
  near (x3 (s t)) (at_time p3 t) 2e-41 /\
  near (v3 (s t)) (at_time q3 t) 4e-40 /\
  x_f (s t) = - x2 (s t).
Proof.
  intros Ht.
  assert (E := energy_bound t Ht). unfold e, m2, m3, k, k23 in E.
  pose proof (pow2_ge_0 (w2 t)). pose proof (pow2_ge_0 (w3 t)).
  pose proof (pow2_ge_0 (y2 t)). pose proof (pow2_ge_0 (y3 t - y2 t)).
  assert (Y2 : Rabs (y2 t) <= 1e-42) by (apply from_energy with 200000000; [lra | lra | enclose]).
  assert (Y32 : Rabs (y3 t - y2 t) <= 1.5e-41)
    by (apply from_energy with 1000000; [lra | lra | enclose]).
  split; [|split; [|split; [|split]]].
  - exact Y2.
  - change (Rabs (w2 t) <= 3e-40). apply from_energy with 2000; [lra | lra | enclose].
  - change (Rabs (y3 t) <= 2e-41). replace (y3 t) with (y2 t + (y3 t - y2 t)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). lra.
  - change (Rabs (w3 t) <= 4e-40). apply from_energy with 1000; [lra | lra | enclose].
  - (* The square of z = x2 + x_f does not grow: z' = - k/c z, z(0) = 0. *)
    destruct motion as (S & X2 & _ & _ & _ & X_f).
    assert (G := growth _ _ _ _ 0 (flows_square _ _ _ _ (flows_plus _ _ _ _ _ _ X2 X_f))).
    cbv beta in G. specialize (G ltac:(intros u _;
      pose proof (pow2_ge_0 (x2 (s u) + x_f (s u))); unfold k, c; lra) t Ht). cbv beta in G.
    rewrite S in G. cbn [start x2 x_f] in G.
    replace (- (m2 + m3) * g / k + (m2 + m3) * g / k) with 0 in G by (unfold k; field).
    nra.
Qed.

(* The guard and its rate, as errors of linear combinations. *)
Lemma guard_enclosure t : 0 <= t <= / 62 ->
  near (F_f (s t)) (at_time p_F_f t) 1e-33 /\
  near (F_f_rate t (s t)) (at_time p_F_f_rate t) 1e-30.
Proof.
  intros Ht. destruct (enclosure t Ht) as (Y2 & W2 & Y3 & W3 & _).
  pose proof (f2_bound t Ht). pose proof (w2_equation t) as W2'.
  change (Rabs (y2 t) <= 1e-42) in Y2. change (Rabs (w2 t) <= 3e-40) in W2.
  change (Rabs (y3 t) <= 2e-41) in Y3. change (Rabs (w3 t) <= 4e-40) in W3.
  unfold near, F_f_rate, F_f, p_F_f_rate, p_F_f. as_polynomials.
  replace (- c * a2 t (s t) - k * v2 (s t) - _) with (- c / m2 * (m2 * w2' t) - k * w2 t)
    by (unfold w2', w2, m2, c, k; lra).
  replace (- c * v2 (s t) - k * x2 (s t) - _) with (- c * w2 t - k * y2 t)
    by (unfold w2, y2, c, k; lra).
  rewrite W2'. unfold m2, c, k, c23, k23. split; enclose.
Qed.
End Errors.
