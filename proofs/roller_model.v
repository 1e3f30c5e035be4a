(* SPDX-License-Identifier: MIT

   The equations of cases/roller.yaml, preset roller/III/C, in contact:

     x2' = v2    m2 v2' = -m2 g + F_f + F_2 - F_e     F_f = -c v2 - k x2
     x3' = v3    m3 v3' = -m3 g - F_2                 F_2 = c23 (v3 - v2) + k23 (x3 - x2 - d)
     x_f' = -v2 - k/c (x_f + x2)                      F_e = F_w sin(omega t + phase) *)
From Impactcheck Require Import calculus.

Definition m2 : R := 2000.
Definition m3 : R := 1000.
Definition k23 : R := 1000000.
Definition c23 : R := 10000.
Definition g : R := 9.81.
Definition d : R := 0.
Definition F_w : R := 58800.
Definition omega : R := 80 * PI.
Definition phase : R := 0.
Definition k : R := 200000000.
Definition c : R := 506000.

Record state := { x2 : R; v2 : R; x3 : R; v3 : R; x_f : R }.

(* Static rest in contact. *)
Definition start : state := {|
  x2 := - (m2 + m3) * g / k;
  v2 := 0;
  x3 := d - (m2 + m3) * g / k - m3 * g / k23;
  v3 := 0;
  x_f := (m2 + m3) * g / k |}.

Definition F_f (s : state) : R := - c * v2 s - k * x2 s.
Definition F_2 (s : state) : R := c23 * (v3 s - v2 s) + k23 * (x3 s - x2 s - d).
Definition F_e (t : R) : R := F_w * sin (omega * t + phase).
Definition a2 (t : R) (s : state) : R := - g + (F_f s + F_2 s - F_e t) / m2.
Definition a3 (s : state) : R := - g - F_2 s / m3.

(* s follows the flow of the mode contact from the start to the time T. *)
Definition contact (s : R -> state) (T : R) : Prop :=
  s 0 = start /\
  flows (fun t => x2 (s t)) (fun t => v2 (s t)) 0 T /\
  flows (fun t => v2 (s t)) (fun t => a2 t (s t)) 0 T /\
  flows (fun t => x3 (s t)) (fun t => v3 (s t)) 0 T /\
  flows (fun t => v3 (s t)) (fun t => a3 (s t)) 0 T /\
  flows (fun t => x_f (s t)) (fun t => - v2 (s t) - k / c * (x_f (s t) + x2 (s t))) 0 T.

(* The guard of separation under the conditions C, C* and D is F_f, and fires where F_f falls to 0.
   Its rate along the flow: *)
Definition F_f_rate (t : R) (s : state) : R := - c * a2 t s - k * v2 s.

(* The jump of condition C resets the compression of the element. *)
Definition separate (s : state) : state :=
  {| x2 := x2 s; v2 := v2 s; x3 := x3 s; v3 := v3 s; x_f := 0 |}.
