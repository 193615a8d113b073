// joints/parts/ellipse.h: how far a point of a plane is from an ellipse, and in which direction.
#ifndef TNI_JOINTS_PARTS_ELLIPSE_H
#define TNI_JOINTS_PARTS_ELLIPSE_H

typedef struct tni_ellipse_distance {
    double inside;             // the distance, positive inside, negative outside
    double normal_y, normal_z; // outward, of unit length, where the ellipse is nearest
} tni_ellipse_distance;

// Of the point (y, z) from (y / half_y)^2 + (z / half_z)^2 = 1. Both half axes are > 0.
tni_ellipse_distance tni_ellipse_measure(double half_y, double half_z, double y, double z);

#endif
